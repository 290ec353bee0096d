import { defineRoute, type Route } from '../../http/route.ts';
import { presentDetails, presentSession } from './present.ts';
import {
  CreateSession,
  ListSessions,
  MarkRead,
  Session,
  SessionDetails,
  SessionPage,
  SessionPath,
  SpacePath,
  UpdateSession,
} from './schema.ts';
import {
  archiveSession,
  createSession,
  getSessionDetails,
  listSessions,
  markRead,
  updateSession,
} from './service.ts';

const sessionExample = {
  id: 'cmf3k2v8q0003x5p7h9d4t6wz',
  projectId: 'cmf3k2v8q0001x5p7h9d4t6wz',
  access: 'PROJECT',
  name: 'Price list',
  title: null,
  description: 'The list for next year.',
  defaultAgent: null,
  model: null,
  participantUserIds: ['cmf3k2v8q0000x5p7h9d4t6wz'],
  status: 'ACTIVE',
  lastMessageAt: null,
  unreadCount: 0,
  createdById: 'cmf3k2v8q0000x5p7h9d4t6wz',
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
  archivedAt: null,
};

export const sessionRoutes: Route[] = [
  defineRoute({
    operationId: 'listSessions',
    tag: 'Sessions',
    method: 'GET',
    path: '/spaces/{slug}/sessions',
    summary: 'List sessions',
    isTagged: true,
    description:
      "A Project's sessions that the caller can read, most recently active first. Archived sessions are listed only on request.",
    auth: 'user',
    scope: 'sessions:read',
    limit: 'read',
    request: { params: SpacePath, query: ListSessions },
    status: 200,
    response: SessionPage,
    example: { response: { items: [sessionExample], total: 1, page: 1, limit: 20 } },
    async handler(ctx, { params, query }) {
      const { items, total } = await listSessions(ctx, params.slug, query);
      return { items: items.map(presentSession), total, page: query.page, limit: query.limit };
    },
  }),
  defineRoute({
    operationId: 'createSession',
    tag: 'Sessions',
    method: 'POST',
    path: '/spaces/{slug}/sessions',
    summary: 'Create a session',
    description:
      'The creator is always a participant. Other participants must be members of the Project. With `access: PARTICIPANTS`, the session exists for its participants only.',
    auth: 'user',
    scope: 'sessions:write',
    limit: 'write',
    request: { params: SpacePath, body: CreateSession },
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
    operationId: 'getSession',
    tag: 'Sessions',
    method: 'GET',
    path: '/spaces/{slug}/sessions/{sessionId}',
    summary: 'Get a session',
    description: 'Archived sessions can still be read.',
    auth: 'user',
    scope: 'sessions:read',
    limit: 'read',
    request: { params: SessionPath },
    status: 200,
    response: SessionDetails,
    example: { response: { ...sessionExample, answersAs: 'recall', summary: null } },
    handler: async (ctx, { params }) =>
      presentDetails(await getSessionDetails(ctx, params.slug, params.sessionId)),
  }),
  defineRoute({
    operationId: 'updateSession',
    tag: 'Sessions',
    method: 'PATCH',
    path: '/spaces/{slug}/sessions/{sessionId}',
    summary: 'Change a session',
    description:
      'Omitted fields stay as they are. null clears a title or a model. `participantUserIds` replaces the list: whoever is taken out of a private session can no longer read it.',
    auth: 'user',
    scope: 'sessions:write',
    limit: 'write',
    request: { params: SessionPath, body: UpdateSession },
    status: 200,
    response: Session,
    example: {
      request: { title: 'Price list 2027', model: 'recall' },
      response: { ...sessionExample, title: 'Price list 2027', model: 'recall' },
    },
    handler: async (ctx, { params, body }) =>
      presentSession(await updateSession(ctx, params.slug, params.sessionId, body)),
  }),
  defineRoute({
    operationId: 'archiveSession',
    tag: 'Sessions',
    method: 'DELETE',
    path: '/spaces/{slug}/sessions/{sessionId}',
    summary: 'Archive a session',
    description:
      'It disappears from the list and accepts no more messages, but stays readable. Archiving it again changes nothing.',
    auth: 'user',
    scope: 'sessions:write',
    limit: 'write',
    request: { params: SessionPath },
    status: 204,
    handler: (ctx, { params }) => archiveSession(ctx, params.slug, params.sessionId),
  }),
  defineRoute({
    operationId: 'markSessionRead',
    tag: 'Sessions',
    method: 'PUT',
    path: '/spaces/{slug}/sessions/{sessionId}/read',
    summary: 'Mark a session as read',
    description: "Moves the caller's read mark to this message. It never moves back.",
    extension: true,
    auth: 'user',
    scope: 'sessions:write',
    limit: 'write',
    request: { params: SessionPath, body: MarkRead },
    status: 200,
    response: Session,
    example: { request: { messageId: 'cmf3k2v8q0004x5p7h9d4t6wz' }, response: sessionExample },
    handler: async (ctx, { params, body }) =>
      presentSession(await markRead(ctx, params.slug, params.sessionId, body.messageId)),
  }),
];
