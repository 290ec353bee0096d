import { defineRoute, type Route } from '../../http/route.ts';
import { CreatedOrg, CreateOrg } from './create-org-schema.ts';
import { createOwnOrg, isMember } from './service.ts';

export const createOrgRoutes: Route[] = [
  defineRoute({
    operationId: 'createOrg',
    tag: 'Org',
    method: 'POST',
    path: '/orgs',
    summary: 'Create an organisation',
    description:
      'The caller becomes its OWNER. The calling key still belongs to its own organisation; to call the API in the new one, create a key there in the web app. A person can create 10 organisations; above that, 409 `limit_reached`. Only the first one gets free credits.',
    extension: true,
    auth: 'person',
    scope: 'org:write',
    limit: 'write',
    request: { body: CreateOrg },
    mayReplay: async (ctx, _input, shown) => !shown || isMember(ctx, shown.id),
    status: 201,
    response: CreatedOrg,
    example: {
      request: { name: 'Acme Research' },
      response: {
        id: 'cmf3k2v8q0006x5p7h9d4t6wz',
        name: 'Acme Research',
        role: 'OWNER',
        createdAt: '2026-11-15T09:30:00.000Z',
      },
    },
    async handler(ctx, { body }) {
      const { id, name, createdAt } = await createOwnOrg(ctx, body.name);
      return { id, name, role: 'OWNER' as const, createdAt: createdAt.toISOString() };
    },
  }),
];
