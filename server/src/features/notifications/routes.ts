import { defineRoute, type Route } from '../../http/route.ts';
import { presentList } from './present.ts';
import {
  ListNotifications,
  MarkNotificationsRead,
  NotificationCount,
  NotificationList,
} from './schema.ts';
import { listNotifications, markNotificationsRead } from './service.ts';

const notificationExample = {
  id: 'cmf3k2v8q0004x5p7h9d4t6wz',
  kind: 'MENTION',
  projectId: 'cmf3k2v8q0001x5p7h9d4t6wz',
  projectSlug: 'pricing-2027',
  projectName: 'Pricing 2027',
  sessionId: 'cmf3k2v8q0003x5p7h9d4t6wz',
  sessionName: 'Price list',
  messageId: 'cmf3k2v8q0004x5p7h9d4t6wz',
  taskId: null,
  taskNumber: null,
  actorUserId: 'cmf3k2v8q0000x5p7h9d4t6wz',
  actorName: 'Ada',
  actorAgent: null,
  text: '@grace, can you check the list?',
  isQuiet: false,
  createdAt: '2026-11-15T09:30:00.000Z',
  readAt: null,
};

const assignedExample = {
  ...notificationExample,
  id: 'cmf3k2v8q000cx5p7h9d4t6wz',
  kind: 'TASK_ASSIGNED',
  sessionId: null,
  sessionName: null,
  messageId: null,
  taskId: 'cmf3k2v8q000bx5p7h9d4t6wz',
  taskNumber: 12,
  text: 'Compare what others charge',
  createdAt: '2026-11-15T09:29:00.000Z',
};

const common = { tag: 'Notifications', extension: true, auth: 'user' } as const;

export const notificationRoutes: Route[] = [
  defineRoute({
    ...common,
    operationId: 'listNotifications',
    method: 'GET',
    path: '/notifications',
    summary: 'List your notifications',
    description:
      'What the caller was told in this organisation, newest first. What they may no longer see is left out: of a Project they have left, or a deleted message. Kept for 90 days.',
    scope: 'notifications:read',
    limit: 'read',
    request: { query: ListNotifications },
    response: NotificationList,
    example: {
      response: {
        items: [notificationExample, assignedExample],
        unreadTotal: 2,
        nextBefore: null,
        hasMore: false,
      },
    },
    handler: async (ctx, { query }) => presentList(await listNotifications(ctx, query)),
  }),
  defineRoute({
    ...common,
    operationId: 'markNotificationsRead',
    method: 'PUT',
    path: '/notifications/read',
    summary: 'Mark notifications as read',
    description:
      'Takes one of: `ids`; `until`, a time: then everything that was created until then is read; `taskId`: then everything about this task is read.',
    scope: 'notifications:write',
    limit: 'write',
    request: { body: MarkNotificationsRead },
    response: NotificationCount,
    example: { request: { ids: [notificationExample.id] }, response: { unreadTotal: 1 } },
    handler: (ctx, { body }) => markNotificationsRead(ctx, body),
  }),
];
