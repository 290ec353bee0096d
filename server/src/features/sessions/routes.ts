import { defineRoute, type Route } from '../../http/route.ts';
import { presentPage } from '../../lists/present.ts';
import { presentDetails, presentSession } from './present.ts';
import {
  AllSessionsPage,
  CreateSession,
  FollowSession,
  ListAllSessions,
  ListSessions,
  MarkRead,
  MarkUnread,
  MuteSession,
  OpenDirect,
  Session,
  SessionDetails,
  SessionPage,
  SessionPath,
  SessionReach,
  SpacePath,
  UpdateSession,
} from './schema.ts';
import { DIRECT_SLUG } from '../../access/direct.ts';
import { openDirect } from './direct/service.ts';
import { followSession, getReach, leaveSession, muteSession } from './following/service.ts';
import {
  archiveSession,
  createSession,
  getSession,
  getSessionDetails,
  getSpace,
  listSessions,
  restoreSession,
  updateSession,
} from './service.ts';
import { listAllSessions, markAllRead, markRead, markUnread } from './unread/service.ts';

const sessionExample = {
  id: 'cmf3k2v8q0003x5p7h9d4t6wz',
  projectId: 'cmf3k2v8q0001x5p7h9d4t6wz',
  kind: 'PROJECT',
  access: 'PROJECT',
  name: 'Price list',
  title: null,
  description: 'The list for next year.',
  defaultAgent: null,
  model: null,
  participantUserIds: ['cmf3k2v8q0000x5p7h9d4t6wz'],
  answersWithoutMention: false,
  taskId: null,
  status: 'ACTIVE',
  lastMessageAt: null,
  unreadCount: 0,
  isForEveryone: false,
  isFollowed: true,
  level: 'ALL',
  muted: false,
  createdById: 'cmf3k2v8q0000x5p7h9d4t6wz',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
  archivedAt: null,
};

const read = { tag: 'Sessions', auth: 'user', scope: 'sessions:read', limit: 'read' } as const;
const write = { tag: 'Sessions', auth: 'user', scope: 'sessions:write', limit: 'write' } as const;

export const sessionRoutes: Route[] = [
  defineRoute({
    ...read,
    operationId: 'listSessions',
    method: 'GET',
    path: '/spaces/{slug}/sessions',
    summary: 'List sessions',
    isTagged: true,
    description:
      "A Project's sessions that the caller can read, most recently active first. Archived sessions are listed only on request.",
    request: { params: SpacePath, query: ListSessions },
    response: SessionPage,
    example: { response: { items: [sessionExample], total: 1, page: 1, limit: 20 } },
    handler: async (ctx, { params, query }) =>
      presentPage(await listSessions(ctx, params.slug, query), query, presentSession),
  }),
  defineRoute({
    ...write,
    operationId: 'createSession',
    method: 'POST',
    path: '/spaces/{slug}/sessions',
    summary: 'Create a session',
    description:
      'The creator is always a participant. Other participants must be members of the Project. With `access: PARTICIPANTS`, the session exists for its participants only.',
    request: { params: SpacePath, body: CreateSession },
    mayReplay: (ctx, { params }, shown) =>
      shown ? getSession(ctx, params.slug, shown.id) : getSpace(ctx, params.slug),
    status: 201,
    response: Session,
    example: {
      request: {
        name: 'Price list',
        description: 'The list for next year.',
        access: 'PARTICIPANTS',
        participantUserIds: ['cmf3k2v8q0005x5p7h9d4t6wz'],
      },
      response: {
        ...sessionExample,
        access: 'PARTICIPANTS',
        participantUserIds: ['cmf3k2v8q0000x5p7h9d4t6wz', 'cmf3k2v8q0005x5p7h9d4t6wz'],
      },
    },
    handler: async (ctx, { params, body }) =>
      presentSession(await createSession(ctx, params.slug, body)),
  }),
  defineRoute({
    ...read,
    operationId: 'getSession',
    method: 'GET',
    path: '/spaces/{slug}/sessions/{sessionId}',
    summary: 'Get a session',
    description: 'Archived sessions can still be read.',
    request: { params: SessionPath },
    response: SessionDetails,
    example: {
      response: {
        ...sessionExample,
        answersAs: 'recall',
        firstUnreadMessageId: null,
        summary: null,
      },
    },
    handler: async (ctx, { params }) =>
      presentDetails(await getSessionDetails(ctx, params.slug, params.sessionId)),
  }),
  defineRoute({
    ...write,
    operationId: 'updateSession',
    method: 'PATCH',
    path: '/spaces/{slug}/sessions/{sessionId}',
    summary: 'Change a session',
    description:
      'Omitted fields stay as they are. null clears a title or a model. `participantUserIds` replaces the list: anyone taken out of a private session can no longer read it. `answersWithoutMention` has messages that mention nobody answered, as long as one person is alone in the session.',
    request: { params: SessionPath, body: UpdateSession },
    response: Session,
    example: {
      request: { title: 'Price list 2027', model: 'recall', answersWithoutMention: true },
      response: {
        ...sessionExample,
        title: 'Price list 2027',
        model: 'recall',
        answersWithoutMention: true,
      },
    },
    handler: async (ctx, { params, body }) =>
      presentSession(await updateSession(ctx, params.slug, params.sessionId, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'archiveSession',
    method: 'DELETE',
    path: '/spaces/{slug}/sessions/{sessionId}',
    summary: 'Archive a session',
    description:
      "It disappears from the list and accepts no more messages, but stays readable. Archiving it again changes nothing. Only for the session's creator, an OWNER or an ADMIN.",
    request: { params: SessionPath },
    status: 204,
    handler: (ctx, { params }) => archiveSession(ctx, params.slug, params.sessionId),
  }),
  defineRoute({
    ...write,
    operationId: 'restoreSession',
    method: 'POST',
    path: '/spaces/{slug}/sessions/{sessionId}/restore',
    summary: 'Restore a session',
    description:
      "Undoes an archive: the session is listed again and accepts messages. Restoring one that is not archived changes nothing. Only for the session's creator, an OWNER or an ADMIN.",
    extension: true,
    request: { params: SessionPath },
    mayReplay: (ctx, { params }) => getSession(ctx, params.slug, params.sessionId),
    response: Session,
    example: { response: sessionExample },
    handler: async (ctx, { params }) =>
      presentSession(await restoreSession(ctx, params.slug, params.sessionId)),
  }),
  defineRoute({
    ...write,
    operationId: 'markSessionRead',
    method: 'PUT',
    path: '/spaces/{slug}/sessions/{sessionId}/read',
    summary: 'Mark a session as read',
    description:
      "Moves the caller's read mark to this message, in the session or in one of its threads. It never moves back.",
    extension: true,
    request: { params: SessionPath, body: MarkRead },
    response: Session,
    example: { request: { messageId: 'cmf3k2v8q0004x5p7h9d4t6wz' }, response: sessionExample },
    handler: async (ctx, { params, body }) =>
      presentSession(await markRead(ctx, params.slug, params.sessionId, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'markSessionUnread',
    method: 'PUT',
    path: '/spaces/{slug}/sessions/{sessionId}/unread',
    summary: 'Mark a message as unread',
    description:
      "Sets the caller's read mark before this message, so that it and everything after it are unread, and everything before it is read. For a reply, the mark of its thread.",
    extension: true,
    request: { params: SessionPath, body: MarkUnread },
    response: Session,
    example: {
      request: { messageId: 'cmf3k2v8q0004x5p7h9d4t6wz' },
      response: { ...sessionExample, unreadCount: 1 },
    },
    handler: async (ctx, { params, body }) =>
      presentSession(await markUnread(ctx, params.slug, params.sessionId, body.messageId)),
  }),
  defineRoute({
    ...read,
    operationId: 'listAllSessions',
    method: 'GET',
    path: '/sessions',
    summary: 'List sessions of all Projects',
    isTagged: true,
    description:
      "The sessions of the caller's Projects: those with unread messages first, then the most recently active. Archived Projects are left out.",
    extension: true,
    request: { query: ListAllSessions },
    response: AllSessionsPage,
    example: {
      response: {
        items: [{ ...sessionExample, unreadCount: 3 }],
        total: 1,
        unreadTotal: 3,
        page: 1,
        limit: 20,
      },
    },
    async handler(ctx, { query }) {
      const { items, total, unreadTotal } = await listAllSessions(ctx, query);
      const { page, limit } = query;
      return { items: items.map(presentSession), total, unreadTotal, page, limit };
    },
  }),
  defineRoute({
    ...write,
    operationId: 'openDirect',
    method: 'POST',
    path: '/direct',
    summary: 'Open a direct conversation',
    description:
      'Returns the one conversation of the caller and these people, and makes it if they have none. Its people never change: with somebody else, it is another conversation. Its messages are at `/spaces/direct/sessions/{sessionId}/messages`.',
    extension: true,
    request: { body: OpenDirect },
    mayReplay: async (ctx, _input, shown) => !shown || getSession(ctx, DIRECT_SLUG, shown.id),
    response: Session,
    example: {
      request: { userIds: ['cmf3k2v8q0005x5p7h9d4t6wz'] },
      response: {
        ...sessionExample,
        kind: 'DIRECT',
        access: 'PARTICIPANTS',
        name: 'Direct message',
        description: null,
        participantUserIds: ['cmf3k2v8q0000x5p7h9d4t6wz', 'cmf3k2v8q0005x5p7h9d4t6wz'],
      },
    },
    handler: async (ctx, { body }) => presentSession(await openDirect(ctx, body.userIds)),
  }),
  defineRoute({
    ...write,
    operationId: 'markAllSessionsRead',
    method: 'PUT',
    path: '/sessions/read',
    summary: 'Mark everything as read',
    description: "All messages in the caller's Projects, threads included.",
    extension: true,
    status: 204,
    handler: (ctx) => markAllRead(ctx),
  }),
  defineRoute({
    ...write,
    operationId: 'followSession',
    method: 'PUT',
    path: '/spaces/{slug}/sessions/{sessionId}/follow',
    summary: 'Follow a session',
    description:
      'From now on, new messages are unread for the caller, and replies in their threads notify them. It starts with everything read. `level` says what to be told about; without it, that stays as it is.',
    extension: true,
    request: { params: SessionPath, body: FollowSession },
    response: Session,
    example: {
      request: { level: 'MENTIONS' },
      response: { ...sessionExample, level: 'MENTIONS' },
    },
    handler: async (ctx, { params, body }) =>
      presentSession(await followSession(ctx, params.slug, params.sessionId, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'leaveSession',
    method: 'DELETE',
    path: '/spaces/{slug}/sessions/{sessionId}/follow',
    summary: 'Leave a session',
    description:
      'The caller no longer follows it until they write in it or are mentioned. Unless it is private, they are no longer a participant either. They can still read it.',
    extension: true,
    request: { params: SessionPath },
    status: 204,
    async handler(ctx, { params }) {
      await leaveSession(ctx, params.slug, params.sessionId);
    },
  }),
  defineRoute({
    ...read,
    operationId: 'getSessionReach',
    method: 'GET',
    path: '/spaces/{slug}/sessions/{sessionId}/reach',
    summary: 'Count who @here and @everyone reach',
    description:
      'How many people a message with @here or @everyone would tell now, without the caller, so that they can be asked before. @here is for followers who have a page of Atrium open.',
    extension: true,
    request: { params: SessionPath },
    response: SessionReach,
    example: { response: { mayBroadcast: true, here: 4, everyone: 31 } },
    handler: (ctx, { params }) => getReach(ctx, params.slug, params.sessionId),
  }),
  defineRoute({
    ...write,
    operationId: 'muteSession',
    method: 'PUT',
    path: '/spaces/{slug}/sessions/{sessionId}/mute',
    summary: 'Mute a session',
    description:
      'Sets the level to NONE. With `muted: false`, a level of NONE becomes ALL, and MENTIONS stays. To choose MENTIONS, follow the session with that `level`.',
    extension: true,
    request: { params: SessionPath, body: MuteSession },
    response: Session,
    example: {
      request: { muted: true },
      response: { ...sessionExample, level: 'NONE', muted: true },
    },
    handler: async (ctx, { params, body }) =>
      presentSession(await muteSession(ctx, params.slug, params.sessionId, body.muted)),
  }),
];
