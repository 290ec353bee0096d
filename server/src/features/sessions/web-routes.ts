import { defineRoute, type Route } from '../../http/route.ts';
import { SessionPath } from './schema.ts';
import { announceTyping } from './typing.ts';

export const sessionWebRoutes: Route[] = [
  defineRoute({
    operationId: 'announceTyping',
    tag: 'Sessions',
    method: 'POST',
    path: '/spaces/{slug}/sessions/{sessionId}/typing',
    summary: 'Say that you are writing',
    description: 'Others who have the session open see it for a few seconds. Nothing is stored.',
    auth: 'web',
    scope: null,
    limit: 'write',
    request: { params: SessionPath },
    status: 204,
    handler: (ctx, { params }) => announceTyping(ctx, params.slug, params.sessionId),
  }),
];
