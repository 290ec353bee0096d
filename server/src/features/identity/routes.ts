import { defineRoute, type Route } from '../../http/route.ts';
import { Me, MeInBrowser } from './schema.ts';
import { describeCaller } from './service.ts';

export const identityRoutes: Route[] = [
  defineRoute({
    operationId: 'getMe',
    tag: 'Identity',
    method: 'GET',
    path: '/me',
    summary: 'Get the caller',
    description: "The key's person, organisation and scopes.",
    extension: true,
    auth: 'person',
    scope: null,
    limit: 'read',
    request: {},
    status: 200,
    response: Me,
    browserResponse: MeInBrowser,
    example: {
      response: {
        userId: 'cmf3k2v8q0000x5p7h9d4t6wz',
        email: 'ada@example.com',
        name: 'Ada',
        role: 'OWNER',
        org: { id: 'cmf3k2v8q0006x5p7h9d4t6wz', name: 'Acme' },
        keyId: 'cmf3k2v8q0002x5p7h9d4t6wz',
        scopes: ['projects:read', 'projects:write'],
      },
    },
    handler: (ctx) => describeCaller(ctx),
  }),
];
