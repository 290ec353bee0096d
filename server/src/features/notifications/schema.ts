import { z } from 'zod';
import {
  continuation,
  moment,
  optional,
  queryFlag,
  queryInteger,
  recordId,
  text,
  timestamp,
} from '../../core/fields.ts';
import { KINDS } from './kinds.ts';

export const Notification = z
  .object({
    id: recordId(),
    kind: z.enum(KINDS),
    projectId: recordId().nullable(),
    projectSlug: z.string().nullable(),
    projectName: z.string().nullable(),
    sessionId: recordId().nullable(),
    sessionName: z.string().nullable(),
    messageId: recordId().nullable().meta({
      description:
        'The message that mentions or replies. For AGENT_REPLY, the reply. For REMINDER, the message that it is about.',
    }),
    taskId: recordId().nullable().meta({
      description: 'The task that was assigned or finished, or that a REMINDER is about.',
    }),
    taskNumber: z.int().nullable(),
    actorUserId: recordId().nullable(),
    actorName: z.string().nullable(),
    actorAgent: z
      .string()
      .nullable()
      .meta({ description: 'The slug of the agent that replied or changed the task.' }),
    text: z.string().meta({
      description:
        'The beginning of the message in plain text, or the title of the task, as it is now, or what happened in one sentence.',
    }),
    isQuiet: z.boolean().meta({
      description:
        'Whether it is in the inbox only, because the caller has chosen the level NONE for the session: it is not mailed, and the web app does not show it by itself.',
    }),
    createdAt: timestamp(),
    readAt: timestamp().nullable(),
  })
  .meta({ id: 'Notification' });

export const NotificationList = z
  .object({
    items: z.array(Notification),
    unreadTotal: z.int().meta({ description: 'How many are unread, on all pages.' }),
    ...continuation('Send it as `before` to get the next, older notifications.'),
  })
  .meta({ id: 'NotificationList' });

export const ListNotifications = z.strictObject({
  unread: queryFlag('Only unread ones.'),
  before: z.string().optional().meta({
    description:
      'Only notifications older than the one with this id: `nextBefore` of the last page.',
  }),
  limit: queryInteger({ min: 1, max: 100, fallback: 20, about: 'How many notifications.' }),
});

export const MarkNotificationsRead = z
  .strictObject({
    ids: optional(z.array(text({ max: 50 })).max(1_000)).meta({
      description: "These notifications. Ids that are not the caller's are ignored.",
    }),
    until: optional(moment()).meta({
      description: 'All that were created until this time. It must not be in the future.',
    }),
    taskId: optional(text({ max: 50 })).meta({
      description: 'All that are about this task, because the caller has opened it.',
    }),
  })
  .meta({ id: 'MarkNotificationsRead' });

export const NotificationCount = z
  .object({ unreadTotal: z.int().meta({ description: 'How many are still unread.' }) })
  .meta({ id: 'NotificationCount' });

export type Notification = z.output<typeof Notification>;
export type ListNotifications = z.output<typeof ListNotifications>;
export type MarkNotificationsRead = z.output<typeof MarkNotificationsRead>;
