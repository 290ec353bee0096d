import { asMember } from '../../core/context.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { getMemoryStatus } from './embedding/status.ts';
import { MemoryStatus } from './schema.ts';

export const memoryWebRoutes: Route[] = [
  defineRoute({
    operationId: 'getMemoryStatus',
    tag: 'Memory',
    method: 'GET',
    path: '/memory/status',
    summary: 'Get the progress of the embedding model',
    description: 'Counts only memories that the caller can see.',
    auth: 'web',
    scope: null,
    limit: 'read',
    request: {},
    response: MemoryStatus,
    handler: (ctx) => getMemoryStatus(asMember(ctx)),
  }),
];
