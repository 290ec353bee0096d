import { defineRoute, type Route } from '../../http/route.ts';
import { describeInvitation } from './invitations/service.ts';
import { TokenPath, WebInvitation } from './schema.ts';

export const orgWebRoutes: Route[] = [
  defineRoute({
    operationId: 'getInvitation',
    tag: 'Org',
    method: 'GET',
    path: '/invitations/{token}',
    summary: 'Get an invitation',
    description: 'For the page behind the emailed link or a copied one.',
    auth: 'anyone',
    scope: null,
    limit: 'read',
    request: { params: TokenPath },
    response: WebInvitation,
    async handler(ctx, { params }) {
      const found = await describeInvitation(ctx, params.token);
      return {
        org: { id: found.orgId, name: found.orgName },
        inviter: { name: found.inviterName },
        email: found.email,
        role: found.role,
        status: found.status,
        expiresAt: found.expiresAt.toISOString(),
        signedInAs: ctx.actor.kind === 'user' ? ctx.actor.email : null,
        canSignUp: found.canSignUp,
      };
    },
  }),
];
