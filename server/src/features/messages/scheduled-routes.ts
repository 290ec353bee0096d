import { defineRoute, type Route } from '../../http/route.ts';
import { presentPage } from '../../lists/present.ts';
import { scheduledExample } from './examples.ts';
import { presentScheduled } from './scheduled/present.ts';
import {
  ListScheduled,
  ScheduledMessage,
  ScheduledMessagePage,
  ScheduledPath,
  UpdateScheduled,
} from './scheduled/schema.ts';
import { cancelScheduled, listScheduled, updateScheduled } from './scheduled/service.ts';

const common = { tag: 'Messages', auth: 'user', extension: true } as const;
const write = { ...common, scope: 'messages:write', limit: 'write' } as const;

export const scheduledRoutes: Route[] = [
  defineRoute({
    ...common,
    operationId: 'listScheduledMessages',
    method: 'GET',
    path: '/scheduled-messages',
    summary: 'List your scheduled messages',
    description:
      'What the caller has yet to send, the next one first, and what could not be sent. Nobody else sees it.',
    scope: 'messages:read',
    limit: 'read',
    request: { query: ListScheduled },
    response: ScheduledMessagePage,
    example: { response: { items: [scheduledExample], total: 1, page: 1, limit: 20 } },
    handler: async (ctx, { query }) =>
      presentPage(await listScheduled(ctx, query), query, presentScheduled),
  }),
  defineRoute({
    ...write,
    operationId: 'updateScheduledMessage',
    method: 'PATCH',
    path: '/scheduled-messages/{id}',
    summary: 'Change a scheduled message',
    description:
      'Its text, or its time. A new time tries one that failed again. Once it is sent: 404.',
    request: { params: ScheduledPath, body: UpdateScheduled },
    response: ScheduledMessage,
    example: {
      request: { sendAt: '2026-11-17T08:00:00.000Z' },
      response: { ...scheduledExample, sendAt: '2026-11-17T08:00:00.000Z' },
    },
    handler: async (ctx, { params, body }) =>
      presentScheduled(await updateScheduled(ctx, params.id, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'cancelScheduledMessage',
    method: 'DELETE',
    path: '/scheduled-messages/{id}',
    summary: 'Cancel a scheduled message',
    description: 'It is never sent. Once it is sent: 404.',
    request: { params: ScheduledPath },
    status: 204,
    handler: (ctx, { params }) => cancelScheduled(ctx, params.id),
  }),
];
