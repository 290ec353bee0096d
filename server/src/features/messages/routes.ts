import { defineRoute, type Route } from '../../http/route.ts';
import { presentPage } from '../../lists/present.ts';
import { retryMessage, showBranch } from './branches/service.ts';
import { attachmentExample, messageExample, placeExample, previewExample } from './examples.ts';
import { openSession, readMessagePage } from './pages/service.ts';
import { presentMatches, presentMessage, presentReaction, presentThread } from './present.ts';
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
  RetryMessage,
  SearchMessages,
  SessionEvents,
  SessionMessagesPath,
  ThreadPage,
  UpdateMessage,
} from './schema.ts';
import { deleteMessage, editMessage, getMessage, listThreads, postMessage } from './service.ts';
import { react, unreact } from './reactions/service.ts';
import { stopReply } from './replies/running.ts';
import { isStillThere, mayShowPost } from './replay.ts';
import { presentPlanned } from './scheduled/present.ts';
import { scheduleMessage } from './scheduled/service.ts';
import { showsTheSame } from './search/replay.ts';
import { searchMessages } from './search/service.ts';

const eventsExample = [
  'event: resync\ndata: {}',
  `event: reply.started\ndata: ${JSON.stringify({ ...replyExample(), seq: 0, text: '' })}`,
  `event: reply.delta\ndata: ${JSON.stringify({ ...replyExample(), seq: 0, text: 'We decided' })}`,
  `event: reply.ended\ndata: ${JSON.stringify(replyExample())}\n\n`,
].join('\n\n');
const askedAgainExample = {
  ...messageExample,
  id: 'cmf3k2v8q0005x5p7h9d4t6wz',
  body: '@recall what did we decide about prices in Europe?',
  reactions: [],
  branches: [
    { messageId: messageExample.id, active: false },
    { messageId: 'cmf3k2v8q0005x5p7h9d4t6wz', active: true },
  ],
};
const shownAgainExample = {
  ...messageExample,
  pendingReplies: [],
  branches: askedAgainExample.branches.map(({ messageId, active }) => ({
    messageId,
    active: !active,
  })),
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
    handler: (ctx, { params, query }) => readMessagePage(ctx, params, query),
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
    handler: (ctx, { params }) => openSession(ctx, params),
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
    handler: async (ctx, { query }) =>
      presentPage(await listThreads(ctx, query), query, presentThread),
  }),
  defineRoute({
    ...write,
    operationId: 'createMessage',
    method: 'POST',
    path: '/spaces/{slug}/sessions/{sessionId}/messages',
    summary: 'Post a message',
    description:
      'Returns the posted message. A mention of a model (`@model`, or a slug from `GET /models`) makes that model reply: the AGENT message arrives later, and `pendingReplies` lists it until then. `fileIds` attaches files of the Project; one that is still UPLOADING, FAILED or REFUSED: 409 with the reason `file_not_ready`. At most five mentions per message are answered. `@here` and `@everyone` tell the followers of the session, if the Project allows it: see `broadcast`. With `sendAt`, it is posted at that time instead, with the id of this response: see `GET /scheduled-messages`. Rights and archives are checked again at that time.',
    request: { params: SessionMessagesPath, body: CreateMessage },
    mayReplay: (ctx, { params }, shown) => mayShowPost(ctx, params, shown),
    status: 201,
    response: Message,
    example: {
      request: { body: messageExample.body, fileIds: [attachmentExample.fileId] },
      response: { ...messageExample, attachments: [attachmentExample], reactions: [] },
    },
    async handler(ctx, { params, body }) {
      const { sendAt } = body;
      const byPerson = true;
      if (!sendAt) return presentMessage(await postMessage(ctx, params, body, { byPerson }));
      const planned = await scheduleMessage(ctx, params, { ...body, sendAt }, { byPerson });
      return presentPlanned(ctx.actor.userId, planned);
    },
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
    example: {
      response: {
        ...messageExample,
        body: `The new prices: ${previewExample.url}`,
        mentions: [],
        pendingReplies: [],
        previews: [previewExample],
      },
    },
    handler: async (ctx, { params }) => presentMessage((await getMessage(ctx, params)).message),
  }),
  defineRoute({
    ...write,
    operationId: 'updateMessage',
    method: 'PATCH',
    path: '/spaces/{slug}/messages/{messageId}',
    summary: 'Edit a message',
    description:
      'Only for the author; an OWNER or an ADMIN may hide its previews too. Agents do not reply to an edit. What a new body links to is looked at again.',
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
    handler: async (ctx, { params, body }) => presentMessage(await editMessage(ctx, params, body)),
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
    handler: (ctx, { params }) => deleteMessage(ctx, params),
  }),
  defineRoute({
    ...write,
    operationId: 'retryMessage',
    method: 'POST',
    path: '/spaces/{slug}/messages/{messageId}/retry',
    summary: 'Retry a reply, or ask again',
    description:
      'Runs a FAILED or STOPPED reply of an agent again. The reply keeps its id and shows the new result when there is one; until then the question lists it in `pendingReplies`. The person who asked, an OWNER or an ADMIN may do this, and it runs as the person who asked. With the id of a question of your own, in a session where you are the only person, it asks again: with `body`, something else. The response is the new question. The earlier one, its answers and everything after them are kept as a branch: see `branches`, and `PUT …/branch` to go back. What is still being answered there is stopped. Any other message, and a reply that is being stopped: 409 with the reason `reply_not_failed`.',
    extension: true,
    request: { params: MessagePath, body: RetryMessage },
    mayReplay: (ctx, { params }, shown) => isStillThere(ctx, params, shown),
    response: Message,
    example: { request: { body: askedAgainExample.body }, response: askedAgainExample },
    handler: async (ctx, { params, body }) => presentMessage(await retryMessage(ctx, params, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'showBranch',
    method: 'PUT',
    path: '/spaces/{slug}/messages/{messageId}/branch',
    summary: 'Switch to the branch of a message',
    description:
      'Lists and agents have the branch of this message from now on, instead of the other version of its question and what follows that. The message can be any in the branch. Nothing is lost: switch back in the same way. If it is shown already, nothing changes. Only where you are the only person in the session; otherwise 409 with the reason `branch_inactive`. While an answer is being written: 409 with the reason `reply_pending`.',
    extension: true,
    request: { params: MessagePath },
    response: Message,
    example: { response: shownAgainExample },
    handler: async (ctx, { params }) => presentMessage(await showBranch(ctx, params)),
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
    handler: async (ctx, { params }) => presentMessage(await stopReply(ctx, params)),
  }),
  defineRoute({
    ...write,
    operationId: 'createReaction',
    method: 'POST',
    path: '/spaces/{slug}/messages/{messageId}/reactions',
    summary: 'React to a message',
    description:
      'Any emoji that Unicode 16.0 recommends. ❤ and ❤️ are the same, and a skin tone makes it a different one. A message has at most 20 different ones; anyone can add to those it has. Reacting twice with the same emoji returns the same reaction.',
    request: { params: MessagePath, body: CreateReaction },
    mayReplay: (ctx, { params }) => getMessage(ctx, params),
    status: 201,
    response: Reaction,
    example: { request: { emoji: '🎉' }, response: reactionExample },
    handler: async (ctx, { params, body }) => presentReaction(await react(ctx, params, body)),
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
    handler: (ctx, { params }) => unreact(ctx, params),
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
