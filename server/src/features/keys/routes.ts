import { defineRoute, type Route } from '../../http/route.ts';
import { presentList } from '../../lists/present.ts';
import { presentKey } from './present.ts';
import {
  CreatedKey,
  CreatedOrgKey,
  CreateKey,
  CreateOrgKey,
  Key,
  KeyList,
  KeyPath,
  OrgKey,
  OrgKeyList,
  OrgKeyPath,
  OrgPath,
  RotatedKey,
  RotatedOrgKey,
  RotateKey,
} from './schema.ts';
import { ORG_KEY_SCOPES } from './scopes.ts';
import {
  createKey,
  listKeys,
  myKeys,
  orgKeys,
  revokeOwnedKey,
  rotateKey,
  type Rotation,
} from './service.ts';

const MANAGERS = ['OWNER', 'ADMIN'] as const;

const metadataExample = {
  id: 'cmf3k2v8q0001x5p7h9d4t6wz',
  name: 'Laptop',
  prefix: 'atr_4fQz9K',
  scopes: ['projects:read', 'projects:write'],
  createdAt: '2026-11-15T09:30:00.000Z',
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
};
const orgMetadataExample = {
  ...metadataExample,
  name: 'Nightly import',
  prefix: 'sk_live_4fQz9K',
  scopes: [...ORG_KEY_SCOPES],
};
const rotationExample = {
  id: 'cmf3k2v8q0002x5p7h9d4t6wz',
  name: 'Laptop',
  prefix: 'atr_8sTb2M',
  scopes: ['projects:read', 'projects:write'],
  createdAt: '2026-11-15T09:30:00.000Z',
  replacedKeyId: metadataExample.id,
  expiresAt: '2026-11-15T10:30:00.000Z',
};

const read = { tag: 'Keys', auth: 'user', scope: 'keys:read', limit: 'read' } as const;
const write = { tag: 'Keys', auth: 'user', scope: 'keys:write', limit: 'write' } as const;

/** A key outlives the session that creates it. */
const mint = { ...write, needsFreshSignIn: true } as const;
const FRESH =
  'In the browser: 403 `fresh_sign_in` unless the person has signed in within the last 15 minutes.';

export const keyRoutes: Route[] = [
  defineRoute({
    ...read,
    operationId: 'listKeys',
    method: 'GET',
    path: '/keys',
    summary: 'List your own keys',
    description:
      "The caller's own keys in this organisation, newest first, without secrets. Other people's keys are never listed.",
    response: KeyList,
    example: { response: { items: [metadataExample], total: 1 } },
    handler: async (ctx) => presentList(await listKeys(ctx.db, myKeys(ctx)), presentKey),
  }),
  defineRoute({
    ...mint,
    operationId: 'createKey',
    method: 'POST',
    path: '/keys',
    summary: 'Create a key',
    description:
      'The secret is shown once. A lost key can be rotated but not retrieved. The calling key must have every scope it grants. A person can have 50 active keys in an organisation; above that, 409 `limit_reached`. ' +
      FRESH,
    request: { body: CreateKey },
    mayReplay: 'always',
    status: 201,
    response: CreatedKey,
    example: {
      request: { name: 'Laptop', scopes: ['projects:read', 'projects:write'] },
      response: { ...metadataExample, secret: 'atr_4fQz9K…' },
    },
    async handler(ctx, { body }) {
      const { key, secret } = await createKey(ctx, myKeys(ctx), body);
      return { ...presentKey(key), secret };
    },
  }),
  defineRoute({
    ...write,
    operationId: 'revokeKey',
    method: 'DELETE',
    path: '/keys/{keyId}',
    summary: 'Revoke one of your keys',
    description: 'The key stops working at once. Revoking it again returns the same response.',
    extension: true,
    request: { params: KeyPath },
    response: Key,
    example: { response: { ...metadataExample, revokedAt: '2026-11-15T09:45:00.000Z' } },
    handler: async (ctx, { params }) =>
      presentKey(await revokeOwnedKey(ctx, myKeys(ctx), params.keyId)),
  }),
  defineRoute({
    ...mint,
    operationId: 'rotateKey',
    method: 'POST',
    path: '/keys/{keyId}/rotate',
    summary: 'Rotate one of your keys',
    description:
      'Creates a new key with the same name and scopes. The old key stops working after the grace period. Until then both count towards the limit: with 50 active keys, a rotation with a grace period returns 409 `limit_reached`. ' +
      FRESH,
    extension: true,
    request: { params: KeyPath, body: RotateKey },
    mayReplay: 'always',
    status: 201,
    response: RotatedKey,
    example: {
      request: { gracePeriodSeconds: 3600 },
      response: { ...rotationExample, secret: 'atr_8sTb2M…' },
    },
    async handler(ctx, { params, body }) {
      const { gracePeriodSeconds = 0 } = body;
      const rotation = await rotateKey(ctx, myKeys(ctx), params.keyId, gracePeriodSeconds);
      return { ...presentRotation(rotation), secret: rotation.secret };
    },
  }),
  defineRoute({
    ...read,
    operationId: 'listOrgApiKeys',
    method: 'GET',
    path: '/org/{orgId}/api-keys',
    summary: "List the organisation's v1 keys",
    description: 'Metadata only, newest first. Requires OWNER or ADMIN.',
    roles: MANAGERS,
    request: { params: OrgPath },
    response: OrgKeyList,
    example: { response: { items: [orgMetadataExample], total: 1 } },
    handler: async (ctx) => presentList(await listKeys(ctx.db, orgKeys(ctx)), presentKey),
  }),
  defineRoute({
    ...mint,
    operationId: 'createOrgApiKey',
    method: 'POST',
    path: '/org/{orgId}/api-keys',
    summary: 'Create a v1 key',
    description:
      'A key for the v1 Memory API. The key itself is shown once. Requires OWNER or ADMIN, and a calling key that has every scope it grants. An organisation can have 50 active v1 keys; above that, 409 `limit_reached`. ' +
      FRESH,
    roles: MANAGERS,
    request: { params: OrgPath, body: CreateOrgKey },
    mayReplay: 'always',
    status: 201,
    response: CreatedOrgKey,
    example: {
      request: { name: 'Nightly import' },
      response: { ...orgMetadataExample, key: 'sk_live_4fQz9K…' },
    },
    async handler(ctx, { body }) {
      const { name, scopes = ORG_KEY_SCOPES } = body;
      const { key, secret } = await createKey(ctx, orgKeys(ctx), { name, scopes });
      return { ...presentKey(key), key: secret };
    },
  }),
  defineRoute({
    ...write,
    operationId: 'revokeOrgApiKey',
    method: 'DELETE',
    path: '/org/{orgId}/api-keys/{keyId}',
    summary: 'Revoke a v1 key',
    description:
      'The key stops working at once. Revoking it again returns the original `revokedAt`. Requires OWNER or ADMIN.',
    roles: MANAGERS,
    request: { params: OrgKeyPath },
    response: OrgKey,
    example: { response: { ...orgMetadataExample, revokedAt: '2026-11-15T09:45:00.000Z' } },
    handler: async (ctx, { params }) =>
      presentKey(await revokeOwnedKey(ctx, orgKeys(ctx), params.keyId)),
  }),
  defineRoute({
    ...mint,
    operationId: 'rotateOrgApiKey',
    method: 'POST',
    path: '/org/{orgId}/api-keys/{keyId}/rotate',
    summary: 'Rotate a v1 key',
    description:
      'Creates a new v1 key with the same name and scopes. The old key stops working after the grace period. Until then both count towards the limit: with 50 active v1 keys, a rotation with a grace period returns 409 `limit_reached`. Requires OWNER or ADMIN. ' +
      FRESH,
    extension: true,
    roles: MANAGERS,
    request: { params: OrgKeyPath, body: RotateKey },
    mayReplay: 'always',
    status: 201,
    response: RotatedOrgKey,
    example: {
      request: { gracePeriodSeconds: 3600 },
      response: {
        ...rotationExample,
        prefix: 'sk_live_8sTb2M',
        scopes: [...ORG_KEY_SCOPES],
        key: 'sk_live_8sTb2M…',
      },
    },
    async handler(ctx, { params, body }) {
      const { gracePeriodSeconds = 0 } = body;
      const rotation = await rotateKey(ctx, orgKeys(ctx), params.keyId, gracePeriodSeconds);
      return { ...presentRotation(rotation), key: rotation.secret };
    },
  }),
];

function presentRotation({ key, replaced }: Rotation) {
  const { id, name, prefix, scopes, createdAt } = presentKey(key);
  const expiresAt = presentKey(replaced).expiresAt ?? createdAt;
  return { id, name, prefix, scopes, createdAt, replacedKeyId: replaced.id, expiresAt };
}
