import { z } from 'zod';
import {
  agentSlug,
  clearable,
  description,
  name,
  optional,
  pageOf,
  pageQuery,
  pathId,
  recordId,
  text,
  timestamp,
  trimmedText,
} from '../../http/fields.ts';
import { MOST_PARTICIPANTS } from './readable.ts';

export const Session = z
  .object({
    id: recordId(),
    projectId: recordId(),
    name: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    defaultAgent: z.string().nullable(),
    model: z.string().nullable(),
    access: z.enum(['PROJECT', 'PARTICIPANTS']).meta({
      description:
        'PROJECT: every member of the Project can read and write. PARTICIPANTS: only the participants can, and for everyone else, OWNERs and ADMINs included, the session does not exist.',
    }),
    participantUserIds: z.array(recordId()).meta({
      description: 'Whoever posts becomes a participant. Whoever leaves the Project is removed.',
    }),
    status: z.enum(['ACTIVE', 'ARCHIVED']),
    lastMessageAt: timestamp().nullable(),
    unreadCount: z.int().meta({
      description:
        "The number of messages by others after the caller's read mark. 100 means 100 or more.",
    }),
    createdById: recordId(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    archivedAt: timestamp().nullable(),
  })
  .meta({ id: 'Session' });

export const SessionSummary = z
  .object({
    text: z.string(),
    untilMessageId: recordId().meta({ description: 'The last message that it covers.' }),
    updatedAt: timestamp(),
  })
  .meta({ id: 'SessionSummary' });

/** One session, with what a list would be too long for. */
export const SessionDetails = Session.extend({
  answersAs: z.string().meta({
    description:
      "The slug of who answers `@model` here: the session's `model`, its `defaultAgent`, the Project's, or the server's default.",
  }),
  summary: SessionSummary.nullable().meta({
    description:
      'What was said before the messages that prompts include. Null in a short session, without a language model, and after a message that it covers was edited or deleted, until the next reply.',
  }),
}).meta({ id: 'SessionDetails' });

export const SessionPage = pageOf(Session).meta({ id: 'SessionPage' });

export const ListSessions = pageQuery().extend({
  status: z.enum(['ACTIVE', 'ARCHIVED']).default('ACTIVE').meta({
    description: 'ARCHIVED lists archived sessions instead. Default: ACTIVE.',
  }),
});

const participants = () =>
  z
    .array(text({ max: 50 }))
    .max(MOST_PARTICIPANTS)
    .transform((ids) => [...new Set(ids)]);

export const CreateSession = z
  .strictObject({
    name: name(),
    description: optional(description()),
    access: optional(Session.shape.access).meta({
      description:
        'PARTICIPANTS makes a private session. It cannot be changed later. Default: PROJECT.',
    }),
    participantUserIds: optional(participants()),
    defaultAgent: optional(agentSlug()),
  })
  .meta({ id: 'CreateSession' });

export const UpdateSession = z
  .strictObject({
    title: clearable(trimmedText({ max: 200 })),
    model: clearable(agentSlug()),
    participantUserIds: optional(participants()).meta({
      description: 'Replaces the list. A private session keeps at least one participant.',
    }),
  })
  .meta({ id: 'UpdateSession' });

export const MarkRead = z
  .strictObject({
    messageId: text({ max: 50 }).meta({
      description: 'The last message that the caller has read.',
    }),
  })
  .meta({ id: 'MarkRead' });

export const SpacePath = z.object({
  slug: z.string().meta({ description: "The Project's slug.", example: 'pricing-2027' }),
});
export const SessionPath = SpacePath.extend({ sessionId: pathId('session') });

export type CreateSession = z.output<typeof CreateSession>;
export type UpdateSession = z.output<typeof UpdateSession>;
export type ListSessions = z.output<typeof ListSessions>;
