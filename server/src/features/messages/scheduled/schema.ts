import { z } from 'zod';
import {
  moment,
  optional,
  pageOf,
  pageQuery,
  pathId,
  recordId,
  timestamp,
} from '../../../core/fields.ts';
import { attachments, fileIds } from '../../files/attaching/schema.ts';
import { body, place } from '../schema.ts';

export const ScheduledMessage = z
  .object({
    id: recordId().meta({ description: 'The message has the same id once it is posted.' }),
    sessionId: recordId(),
    parentMessageId: recordId().nullable(),
    body: z.string(),
    attachments: attachments().meta({
      description: 'Its files. If one of them is deleted before, the message is not sent: FAILED.',
    }),
    sendAt: timestamp(),
    status: z.enum(['SCHEDULED', 'FAILED']).meta({
      description: 'FAILED: it was due and could not be posted. A new `sendAt` tries again.',
    }),
    failure: z.string().nullable().meta({ description: 'Why it could not be posted.' }),
    session: place.session.nullable().meta({
      description: 'Null if you can no longer read the session.',
    }),
    project: place.project.nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'ScheduledMessage' });

export const ScheduledMessagePage = pageOf(ScheduledMessage).meta({ id: 'ScheduledMessagePage' });

export const ListScheduled = pageQuery();
export const ScheduledPath = z.object({ id: pathId('scheduled message') });

export const UpdateScheduled = z
  .strictObject({
    body: optional(body()).meta({ description: 'It may be empty if there are files.' }),
    fileIds: optional(fileIds()).meta({ description: 'In place of its files until now.' }),
    sendAt: optional(moment()).meta({ description: 'In the future, at most 120 days ahead.' }),
  })
  .meta({ id: 'UpdateScheduledMessage' });

export type ScheduledMessage = z.output<typeof ScheduledMessage>;
export type ListScheduled = z.output<typeof ListScheduled>;
export type UpdateScheduled = z.output<typeof UpdateScheduled>;
