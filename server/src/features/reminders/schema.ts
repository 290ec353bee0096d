import { z } from 'zod';
import {
  moment,
  optional,
  pageOf,
  pageQuery,
  pathId,
  recordId,
  text,
  timestamp,
} from '../../core/fields.ts';

export const Reminder = z
  .object({
    id: recordId(),
    at: timestamp(),
    text: z
      .string()
      .nullable()
      .meta({ description: 'Your own words, if it has no message or task.' }),
    messageId: recordId().nullable(),
    taskId: recordId().nullable(),
    taskNumber: z.int().nullable(),
    excerpt: z.string().nullable().meta({
      description:
        'The beginning of the message, or the title of the task, as it is now. Null if you can no longer read it.',
    }),
    session: z
      .object({ id: recordId(), name: z.string(), title: z.string().nullable() })
      .nullable(),
    project: z.object({ id: recordId(), slug: z.string(), name: z.string() }).nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'Reminder' });

export const ReminderPage = pageOf(Reminder).meta({ id: 'ReminderPage' });

const id = () => text({ max: 50 });
const words = () => text({ max: 500 });

export const CreateReminder = z
  .strictObject({
    messageId: optional(id()).meta({ description: 'A message that you may read.' }),
    taskId: optional(id()).meta({ description: 'A task of one of your Projects.' }),
    text: optional(words()).meta({ description: 'What to remind you of, in your own words.' }),
    at: moment().meta({ description: 'In the future, at most two years ahead.' }),
  })
  .meta({ id: 'CreateReminder' });

export const UpdateReminder = z
  .strictObject({
    at: optional(moment()).meta({ description: 'In the future, at most two years ahead.' }),
    text: optional(words()).meta({ description: 'Only for a reminder in your own words.' }),
  })
  .meta({ id: 'UpdateReminder' });

export const ListReminders = pageQuery();
export const ReminderPath = z.object({ id: pathId('reminder') });

export type Reminder = z.output<typeof Reminder>;
export type CreateReminder = z.output<typeof CreateReminder>;
export type UpdateReminder = z.output<typeof UpdateReminder>;
export type ListReminders = z.output<typeof ListReminders>;
