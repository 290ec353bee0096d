import { defineRoute, type Route } from '../../http/route.ts';
import { getSession } from '../sessions/service.ts';
import { openSession, readMessagePage } from './pages/service.ts';
import { presentMatches, presentMessage, presentThread } from './present.ts';
import {
  CreateMessage,
  CreateReaction,
  ListMessages,
  ListThreads,
  Message,
  MessageList,
  MessageMatches,
  MessagePath,
  Reaction,
  ReactionPath,
  ReplyPath,
  SearchMessages,
  SessionEvents,
  SessionMessagesPath,
  ThreadPage,
  UpdateMessage,
} from './schema.ts';
import {
  deleteMessage,
  editMessage,
  getMessage,
  listThreads,
  postMessage,
  react,
  retryReply,
  stopReply,
  unreact,
} from './service.ts';
import { isStillThere } from './replay.ts';
import { showsTheSame } from './search/replay.ts';
import { searchMessages } from './search/service.ts';
import type { ReactionRow } from './reactions/store.ts';

const messageExample = {
  id: 'cmf3k2v8q0004x5p7h9d4t6wz',
  sessionId: 'cmf3k2v8q0003x5p7h9d4t6wz',
  parentMessageId: null,
  authorKind: 'USER',
  authorUserId: 'cmf3k2v8q0000x5p7h9d4t6wz',
  externalAuthor: null,
  agentSlug: null,
  inReplyToMessageId: null,
  body: '@recall what did we decide about pricing?',
  mentions: ['recall'],
  status: 'COMPLETED',
  error: null,
  citations: [],
  toolCalls: [],
  pendingReplies: [{ mention: 'recall', startedAt: '2026-11-15T09:30:00.000Z' }],
  mentionedUserIds: [],
  tasks: [],
  reactions: [{ emoji: '👀', count: 1, userIds: ['cmf3k2v8q0000x5p7h9d4t6wz'] }],
  replyCount: 0,
  usage: null,
  createdAt: '2026-11-15T09:30:00.000Z',
  editedAt: null,
  deletedAt: null,
};
const placeExample = {
  session: { id: messageExample.sessionId, name: 'Price list', title: null },
  project: { id: 'cmf3k2v8q0001x5p7h9d4t6wz', slug: 'pricing-2027', name: 'Pricing 2027' },
};
const eventsExample = [
  'event: resync\ndata: {}',
  `event: reply.started\ndata: ${JSON.stringify({ ...replyExample(), seq: 0, text: '' })}`,
  `event: reply.delta\ndata: ${JSON.stringify({ ...replyExample(), seq: 0, text: 'We decided' })}`,
  `event: reply.ended\ndata: ${JSON.stringify(replyExample())}\n\n`,
].join('\n\n');
const failedExample = {
  ...messageExample,
  id: 'cmf3k2v8q0005x5p7h9d4t6wz',
  authorKind: 'AGENT',
  authorUserId: null,
  agentSlug: 'gpt-5.1',
  inReplyToMessageId: messageExample.id,
  body: `Couldn't generate a reply. "gpt-5.1" did not answer in time. Try again later.`,
  mentions: [],
  status: 'FAILED',
  error: { code: 'timeout', message: '"gpt-5.1" did not answer in time. Try again later.' },
  pendingReplies: [],
  reactions: [],
};
const reactionExample = {
  messageId: messageExample.id,
  emoji: '🎉',
  userId: 'cmf3k2v8q0000x5p7h9d4t6wz',
  createdAt: '2026-11-15T09:31:00.000Z',
};

const read = { tag: 'Messages', auth: 'user', scope: 'messages:read', limit: 'read' } as const;
const write = { tag: 'Messages', auth: 'user', scope: 'messages:write', limit: 'write' } as const;

export const messageRoutes: Route[] = [
  defineRoute({
    ...read,
    operationId: 'listMessages',
    method: 'GET',
    path: '/spaces/{slug}/sessions/{sessionId}/messages',
    summary: 'List messages',
    isTagged: true,
    description:
      'Newest first, in commit order. A message that is committed later never appears behind a cursor you have passed.',
    request: { params: SessionMessagesPath, query: ListMessages },
    response: MessageList,
    example: { response: { items: [messageExample], total: 1, nextBefore: null, hasMore: false } },
    handler: (ctx, { params, query }) => readMessagePage(ctx, params.slug, params.sessionId, query),
  }),
  defineRoute({
    ...read,
    operationId: 'streamSession',
    method: 'GET',
    path: '/spaces/{slug}/sessions/{sessionId}/events',
    summary: "Watch a session's events",
    isStream: true,
    description:
      'Server-sent events, as long as the caller may read the session. The first is `resync`: list the messages. Then `message.created` and `message.updated` name messages to read again, and `reply.started`, `reply.delta`, `reply.tools`, `reply.restarted` and `reply.ended` show replies while they are written. Only the AGENT message that lands is the reply; these are a view of it. Opening the stream counts as one read.',
    extension: true,
    request: { params: SessionMessagesPath },
    response: SessionEvents,
    example: { response: eventsExample },
    handler: (ctx, { params }) => openSession(ctx, params.slug, params.sessionId),
  }),
  defineRoute({
    ...read,
    operationId: 'listThreads',
    method: 'GET',
    path: '/threads',
    summary: 'List the threads that you take part in',
    description:
      'Threads in all Projects of the caller that they started or replied to: unread ones first, then by their last reply. Archived sessions and Projects are left out.',
    extension: true,
    request: { query: ListThreads },
    response: ThreadPage,
    example: {
      response: {
        items: [
          {
            id: messageExample.id,
            parent: { ...messageExample, pendingReplies: [], replyCount: 1 },
            ...placeExample,
            unreadCount: 1,
            lastReplyAt: '2026-11-15T09:31:00.000Z',
          },
        ],
        total: 1,
        page: 1,
        limit: 20,
      },
    },
    async handler(ctx, { query }) {
      const { page, limit, unread: unreadOnly } = query;
      const { items, total } = await listThreads(ctx, { page, limit, unreadOnly });
      return { items: items.map(presentThread), total, page, limit };
    },
  }),
  defineRoute({
    ...write,
    operationId: 'createMessage',
    method: 'POST',
    path: '/spaces/{slug}/sessions/{sessionId}/messages',
    summary: 'Post a message',
    description:
      'Returns the posted message. A mention of a model (`@model`, or a slug from `GET /models`) makes that model reply: the AGENT message arrives later, and `pendingReplies` lists it until then. At most five mentions per message are answered.',
    request: { params: SessionMessagesPath, body: CreateMessage },
    mayReplay: (ctx, { params }) => getSession(ctx, params.slug, params.sessionId),
    status: 201,
    response: Message,
    example: {
      request: { body: messageExample.body },
      response: { ...messageExample, reactions: [] },
    },
    handler: async (ctx, { params, body }) =>
      presentMessage(await postMessage(ctx, params.slug, params.sessionId, body)),
  }),
  defineRoute({
    ...read,
    operationId: 'searchMessages',
    method: 'POST',
    path: '/messages/search',
    summary: 'Search messages',
    description:
      'Finds messages by their words, in all sessions that the caller may read. Any word matches; messages with more of them, and with rarer ones, come first, and newer ones first among equals. It counts as a read. An edit or a deletion counts at once.',
    extension: true,
    request: { body: SearchMessages },
    response: MessageMatches,
    example: {
      request: { query: 'pricing "what did we decide"', limit: 5 },
      response: {
        items: [
          {
            message: messageExample,
            ...placeExample,
            score: 1,
            highlights: [
              { start: 8, end: 26 },
              { start: 33, end: 40 },
            ],
          },
        ],
        total: 1,
        degraded: false,
      },
    },
    mayReplay: async (ctx, { body }, shown) => !shown || showsTheSame(ctx, body, shown),
    prepare: (ctx, { body }) => searchMessages(ctx, body),
    handler: async (_ctx, _input, result) => presentMatches(result),
  }),
  defineRoute({
    ...read,
    operationId: 'getMessage',
    method: 'GET',
    path: '/spaces/{slug}/messages/{messageId}',
    summary: 'Get a message',
    isTagged: true,
    description: 'A deleted message is still returned, with an empty body.',
    extension: true,
    request: { params: MessagePath },
    response: Message,
    example: { response: messageExample },
    async handler(ctx, { params }) {
      const { message } = await getMessage(ctx, params.slug, params.messageId);
      return presentMessage(message);
    },
  }),
  defineRoute({
    ...write,
    operationId: 'updateMessage',
    method: 'PATCH',
    path: '/spaces/{slug}/messages/{messageId}',
    summary: 'Edit a message',
    description: 'Only for the author. Agents do not reply to an edit.',
    extension: true,
    request: { params: MessagePath, body: UpdateMessage },
    response: Message,
    example: {
      request: { body: 'What did we decide about pricing?' },
      response: {
        ...messageExample,
        body: 'What did we decide about pricing?',
        mentions: [],
        editedAt: '2026-11-15T09:32:00.000Z',
      },
    },
    handler: async (ctx, { params, body }) =>
      presentMessage(await editMessage(ctx, params.slug, params.messageId, body.body)),
  }),
  defineRoute({
    ...write,
    operationId: 'deleteMessage',
    method: 'DELETE',
    path: '/spaces/{slug}/messages/{messageId}',
    summary: 'Delete a message',
    description:
      'Erases the content and leaves a tombstone in the list. Only for the author, an OWNER or an ADMIN.',
    extension: true,
    request: { params: MessagePath },
    status: 204,
    handler: (ctx, { params }) => deleteMessage(ctx, params.slug, params.messageId),
  }),
  defineRoute({
    ...write,
    operationId: 'retryMessage',
    method: 'POST',
    path: '/spaces/{slug}/messages/{messageId}/retry',
    summary: 'Retry a reply',
    description:
      'Runs a FAILED or STOPPED reply of an agent again. The reply keeps its id and shows the new result when there is one; until then the question lists it in `pendingReplies`. The person who asked, an OWNER or an ADMIN may do this, and it runs as the person who asked. Any other message, and a reply that is being stopped: 409 with the reason `reply_not_failed`.',
    extension: true,
    request: { params: MessagePath },
    mayReplay: (ctx, { params }, shown) => isStillThere(ctx, params, shown),
    response: Message,
    example: { response: failedExample },
    handler: async (ctx, { params }) =>
      presentMessage(await retryReply(ctx, params.slug, params.messageId)),
  }),
  defineRoute({
    ...write,
    operationId: 'stopReply',
    method: 'POST',
    path: '/spaces/{slug}/messages/{messageId}/replies/{mention}/stop',
    summary: 'Stop a reply',
    description:
      'Stops the reply to one mention of this message, and returns the message. What was written until then lands within two seconds as an AGENT message with the status STOPPED, and is charged. A reply that ends first stays COMPLETED. If it has landed: 409 with the reason `reply_ended`. Only for the person who asked, an OWNER or an ADMIN.',
    extension: true,
    request: { params: ReplyPath },
    mayReplay: (ctx, { params }, shown) => isStillThere(ctx, params, shown),
    response: Message,
    example: { response: messageExample },
    handler: async (ctx, { params }) =>
      presentMessage(await stopReply(ctx, params.slug, params.messageId, params.mention)),
  }),
  defineRoute({
    ...write,
    operationId: 'createReaction',
    method: 'POST',
    path: '/spaces/{slug}/messages/{messageId}/reactions',
    summary: 'React to a message',
    description: 'Reacting twice with the same emoji returns the same reaction.',
    request: { params: MessagePath, body: CreateReaction },
    mayReplay: (ctx, { params }) => getMessage(ctx, params.slug, params.messageId),
    status: 201,
    response: Reaction,
    example: { request: { emoji: '🎉' }, response: reactionExample },
    handler: async (ctx, { params, body }) =>
      presentReaction(await react(ctx, params.slug, params.messageId, body.emoji)),
  }),
  defineRoute({
    ...write,
    operationId: 'deleteReaction',
    method: 'DELETE',
    path: '/spaces/{slug}/messages/{messageId}/reactions/{emoji}',
    summary: 'Remove a reaction',
    description: "Removes the caller's own reaction. If there is none, nothing changes.",
    extension: true,
    request: { params: ReactionPath },
    status: 204,
    handler: (ctx, { params }) => unreact(ctx, params.slug, params.messageId, params.emoji),
  }),
];

function replyExample() {
  return {
    projectId: 'cmf3k2v8q0002x5p7h9d4t6wz',
    sessionId: messageExample.sessionId,
    questionId: messageExample.id,
    mention: 'recall',
  };
}

function presentReaction(reaction: ReactionRow) {
  return { ...reaction, createdAt: reaction.createdAt.toISOString() };
}
