import { defineRoute, type Route } from '../../http/route.ts';
import { deleteAccount } from './account/delete-account.ts';
import { getPhoto } from './photos/service.ts';
import { DeleteAccount, Me, MeInBrowser, PhotoPath, UpdateMe } from './schema.ts';
import { describeCaller } from './service.ts';
import { updateCaller } from './update-caller.ts';

const meExample = {
  userId: 'cmf3k2v8q0000x5p7h9d4t6wz',
  email: 'ada@example.com',
  name: 'Ada',
  handle: 'ada',
  emailNotifications: 'MENTIONS',
  title: 'Head of research',
  photo: null,
  status: { emoji: '🎧', text: 'In a meeting', until: '2026-11-18T10:00:00.000Z' },
  timeZone: 'Europe/Berlin',
  role: 'OWNER',
  org: { id: 'cmf3k2v8q0006x5p7h9d4t6wz', name: 'Acme' },
  keyId: 'cmf3k2v8q0002x5p7h9d4t6wz',
  scopes: ['projects:read', 'projects:write'],
};

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
    response: Me,
    browserResponse: MeInBrowser,
    example: { response: meExample },
    handler: (ctx) => describeCaller(ctx),
  }),
  defineRoute({
    operationId: 'updateMe',
    tag: 'Identity',
    method: 'PATCH',
    path: '/me',
    summary: 'Change what you say about yourself, and your emails',
    description:
      'Omitted fields stay as they are, and null clears title, photo, status and time zone. Name, photo and time zone are the same in every organisation; handle, title and status belong to this one. A status disappears by itself at its end. A handle that a model, an agent, an MCP server or another person has, or that somebody else gave up less than 90 days ago: 409 `slug_taken`. A person can give up 10 handles in that time; above that, 409 `limit_reached`.',
    extension: true,
    auth: 'person',
    scope: 'org:write',
    limit: 'write',
    request: { body: UpdateMe },
    response: Me,
    browserResponse: MeInBrowser,
    example: { request: { handle: 'ada.l' }, response: { ...meExample, handle: 'ada.l' } },
    handler: (ctx, { body }) => updateCaller(ctx, body),
  }),
  defineRoute({
    operationId: 'getPhoto',
    tag: 'Identity',
    method: 'GET',
    path: '/people/{userId}/photos/{photo}',
    summary: "Get a person's photo",
    description:
      'At the path that records name in `photo`, for people of the same organisation. An earlier photo is no longer there: 404.',
    extension: true,
    auth: 'person',
    scope: 'org:read',
    limit: 'read',
    request: { params: PhotoPath },
    storedType: 'image/*',
    handler: (ctx, { params }) => getPhoto(ctx, params.userId, params.photo),
  }),
  defineRoute({
    operationId: 'exportMe',
    tag: 'Identity',
    method: 'GET',
    path: '/me/export',
    summary: 'Export your own data',
    description:
      'What the caller wrote and owns in this organisation, PRIVATE memories included, as a `.tar.gz` with one JSON Lines file for each kind of record. A key needs `messages:read`, `sessions:read`, `memory:read`, `agents:read`, `tasks:read`, `projects:read` and `keys:read`. A second export at the same time gets 409 `export_running`.',
    extension: true,
    auth: 'user',
    scope: null,
    limit: 'read',
    fileType: 'application/gzip',
    handler: (ctx) => ctx.exports.ofCaller(ctx),
  }),
  defineRoute({
    operationId: 'deleteMe',
    tag: 'Identity',
    method: 'DELETE',
    path: '/me',
    summary: 'Delete your account',
    description:
      'Only in the browser, with the current password or within 10 minutes of signing in with an email link: otherwise 403 `fresh_sign_in`. Erases your name and address, ends your sessions and memberships, revokes your keys, and erases your PRIVATE memories. What you wrote stays, by a former member. The last OWNER of an organisation with other members gets 409 `last_owner`.',
    extension: true,
    auth: 'browser',
    scope: null,
    limit: 'write',
    request: { body: DeleteAccount },
    status: 204,
    example: { request: { currentPassword: 'correct horse battery staple' } },
    handler: (ctx, { body }) => deleteAccount(ctx, body.currentPassword),
  }),
];
