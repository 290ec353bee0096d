import { defineRoute, type Route } from '../../http/route.ts';
import { presentPage } from '../../lists/present.ts';
import { presentReminder } from './present.ts';
import {
  CreateReminder,
  ListReminders,
  Reminder,
  ReminderPage,
  ReminderPath,
  UpdateReminder,
} from './schema.ts';
import {
  cancelReminder,
  createReminder,
  isShownAs,
  listReminders,
  updateReminder,
} from './service.ts';

const reminderExample = {
  id: 'cmf3k2v8q000ex5p7h9d4t6wz',
  at: '2026-11-16T09:00:00.000Z',
  text: null,
  messageId: 'cmf3k2v8q0004x5p7h9d4t6wz',
  taskId: null,
  taskNumber: null,
  excerpt: 'Can you check the list?',
  session: { id: 'cmf3k2v8q0003x5p7h9d4t6wz', name: 'Price list', title: null },
  project: { id: 'cmf3k2v8q0001x5p7h9d4t6wz', slug: 'pricing-2027', name: 'Pricing 2027' },
  createdAt: '2026-11-15T09:30:00.000Z',
};

const common = { tag: 'Reminders', extension: true, auth: 'user' } as const;
const write = { ...common, scope: 'notifications:write', limit: 'write' } as const;

export const reminderRoutes: Route[] = [
  defineRoute({
    ...write,
    operationId: 'createReminder',
    method: 'POST',
    path: '/reminders',
    summary: 'Set a reminder',
    description:
      'Takes one of `messageId`, `taskId` and `text`. At its time you get a notification of the kind REMINDER, once. If you can no longer read the message or the task then, it is not quoted.',
    request: { body: CreateReminder },
    mayReplay: async (ctx, _input, shown) => !shown || isShownAs(ctx, shown),
    status: 201,
    response: Reminder,
    example: {
      request: { messageId: reminderExample.messageId, at: reminderExample.at },
      response: reminderExample,
    },
    handler: async (ctx, { body }) => presentReminder(await createReminder(ctx, body)),
  }),
  defineRoute({
    ...common,
    operationId: 'listReminders',
    method: 'GET',
    path: '/reminders',
    summary: 'List your reminders',
    description: 'Those that are not due yet, the next one first. Nobody else sees them.',
    scope: 'notifications:read',
    limit: 'read',
    request: { query: ListReminders },
    response: ReminderPage,
    example: { response: { items: [reminderExample], total: 1, page: 1, limit: 20 } },
    handler: async (ctx, { query }) =>
      presentPage(await listReminders(ctx, query), query, presentReminder),
  }),
  defineRoute({
    ...write,
    operationId: 'updateReminder',
    method: 'PATCH',
    path: '/reminders/{id}',
    summary: 'Change a reminder',
    description: 'Its time, or your own words. After its time: 404.',
    request: { params: ReminderPath, body: UpdateReminder },
    response: Reminder,
    example: {
      request: { at: '2026-11-17T09:00:00.000Z' },
      response: { ...reminderExample, at: '2026-11-17T09:00:00.000Z' },
    },
    handler: async (ctx, { params, body }) =>
      presentReminder(await updateReminder(ctx, params.id, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'cancelReminder',
    method: 'DELETE',
    path: '/reminders/{id}',
    summary: 'Cancel a reminder',
    description: 'After its time: 404.',
    request: { params: ReminderPath },
    status: 204,
    handler: (ctx, { params }) => cancelReminder(ctx, params.id),
  }),
];
