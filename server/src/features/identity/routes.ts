import { defineRoute, type Route } from '../../http/route.ts';
import { CreatedOrg, CreateOrg, Me, MeInBrowser } from './schema.ts';
import { createOwnOrg, describeCaller } from './service.ts';

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
  defineRoute({
    operationId: 'createOrg',
    tag: 'Identity',
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
