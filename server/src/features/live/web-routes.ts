import { z } from 'zod';
import { PAGE_STATES } from '../../core/presence.ts';
import { defineRoute, type Route } from '../../http/route.ts';

const ReportPresence = z.strictObject({ state: z.enum(PAGE_STATES) });

export const liveWebRoutes: Route[] = [
  defineRoute({
    operationId: 'reportPresence',
    tag: 'Identity',
    method: 'PUT',
    path: '/presence',
    summary: 'Say whether you are there',
    description:
      'Holds for the open pages of this browser, in every organisation. People who share a Project with you see it. Nothing is stored.',
    auth: 'web',
    scope: null,
    limit: 'write',
    request: { body: ReportPresence },
    status: 204,
    async handler({ presence, actor }, { body }) {
      presence.report(actor.userId, actor.webSessionId ?? '', body.state);
    },
  }),
];
