import { defineRoute, type Route } from '../../http/route.ts';
import { presentPage } from '../../lists/present.ts';
import { messageExample, placeExample } from './examples.ts';
import { presentMessage } from './present.ts';
import { Message, MessagePath, SessionMessagesPath } from './schema.ts';
import { presentSaved } from './keeping/present.ts';
import { ListPins, ListSaved, PinPage, SavedPage } from './keeping/schema.ts';
import {
  listPins,
  listSaved,
  pinMessage,
  saveMessage,
  unpinMessage,
  unsaveMessage,
} from './keeping/service.ts';

const pinnedExample = {
  ...messageExample,
  pendingReplies: [],
  pinnedAt: '2026-11-15T09:40:00.000Z',
  pinnedById: 'cmf3k2v8q0000x5p7h9d4t6wz',
};

const common = { tag: 'Messages', auth: 'user', extension: true } as const;
const read = { ...common, scope: 'messages:read', limit: 'read' } as const;
const write = { ...common, scope: 'messages:write', limit: 'write' } as const;

export const keepingRoutes: Route[] = [
  defineRoute({
    ...write,
    operationId: 'pinMessage',
    method: 'PUT',
    path: '/spaces/{slug}/messages/{messageId}/pin',
    summary: 'Pin a message',
    description:
      'Everybody who can read the session sees it among its pinned messages. Pinning it again changes nothing. A session has at most 100: then 409 with the reason `limit_reached`.',
    request: { params: MessagePath },
    response: Message,
    example: { response: pinnedExample },
    handler: async (ctx, { params }) => presentMessage(await pinMessage(ctx, params)),
  }),
  defineRoute({
    ...write,
    operationId: 'unpinMessage',
    method: 'DELETE',
    path: '/spaces/{slug}/messages/{messageId}/pin',
    summary: 'Unpin a message',
    description:
      'Anybody who can read the session can do this. If it is not pinned, nothing changes.',
    request: { params: MessagePath },
    status: 204,
    handler: (ctx, { params }) => unpinMessage(ctx, params),
  }),
  defineRoute({
    ...read,
    operationId: 'listPins',
    method: 'GET',
    path: '/spaces/{slug}/sessions/{sessionId}/pins',
    summary: "List a session's pinned messages",
    description: 'The last pinned first. Deleted messages are left out.',
    request: { params: SessionMessagesPath, query: ListPins },
    response: PinPage,
    example: { response: { items: [pinnedExample], total: 1, page: 1, limit: 20 } },
    handler: async (ctx, { params, query }) =>
      presentPage(await listPins(ctx, params, query), query, presentMessage),
  }),
  defineRoute({
    ...write,
    operationId: 'saveMessage',
    method: 'PUT',
    path: '/spaces/{slug}/messages/{messageId}/saved',
    summary: 'Save a message for later',
    description:
      'Adds it to your own list. Nobody else sees that. Saving it again changes nothing. You can save 1,000 messages: then 409 with the reason `limit_reached`.',
    request: { params: MessagePath },
    status: 204,
    handler: (ctx, { params }) => saveMessage(ctx, params),
  }),
  defineRoute({
    ...write,
    operationId: 'unsaveMessage',
    method: 'DELETE',
    path: '/spaces/{slug}/messages/{messageId}/saved',
    summary: 'Remove a message from your saved ones',
    description: 'If you have not saved it, nothing changes.',
    request: { params: MessagePath },
    status: 204,
    handler: (ctx, { params }) => unsaveMessage(ctx, params),
  }),
  defineRoute({
    ...read,
    operationId: 'listSaved',
    method: 'GET',
    path: '/saved',
    summary: 'List your saved messages',
    description:
      'In all Projects of the caller, the last saved first. What they may no longer read is left out, and so are deleted messages.',
    request: { query: ListSaved },
    response: SavedPage,
    example: {
      response: {
        items: [{ message: messageExample, ...placeExample, savedAt: '2026-11-15T09:45:00.000Z' }],
        total: 1,
        page: 1,
        limit: 20,
      },
    },
    handler: async (ctx, { query }) =>
      presentPage(await listSaved(ctx, query), query, presentSaved),
  }),
];
