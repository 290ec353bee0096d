import { defineRoute, type Route } from '../../../http/route.ts';
import { presentList } from '../../../lists/present.ts';
import { describeDevice } from './device.ts';
import { WebSessionList, WebSessionPath } from './schema.ts';
import { endSession, listSessions } from './service.ts';
import type { WebSessionRow } from './store.ts';

const web = { tag: 'Account', auth: 'web', scope: null } as const;

export const webSessionRoutes: Route[] = [
  defineRoute({
    ...web,
    operationId: 'listWebSessions',
    method: 'GET',
    path: '/sessions',
    summary: 'List your browser sessions',
    description: 'Most recently used first.',
    limit: 'read',
    response: WebSessionList,
    async handler({ db, actor }) {
      const sessions = await listSessions(db, actor.userId);
      return presentList(sessions, (session) => present(session, actor.webSessionId));
    },
  }),
  defineRoute({
    ...web,
    operationId: 'endWebSession',
    method: 'DELETE',
    path: '/sessions/{id}',
    summary: 'End a browser session',
    description: 'Signs you out in that browser at once.',
    limit: 'write',
    request: { params: WebSessionPath },
    status: 204,
    handler: (ctx, { params }) => endSession(ctx, params.id),
  }),
];

function present(session: WebSessionRow, currentId: string | null) {
  const { id, userAgent, createdAt, lastSeenAt, expiresAt } = session;
  return {
    id,
    device: describeDevice(userAgent),
    userAgent,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    current: id === currentId,
  };
}
