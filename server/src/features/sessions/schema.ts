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
  queryFlag,
  recordId,
  text,
  timestamp,
  title,
} from '../../core/fields.ts';
import { MOST_PARTICIPANTS } from '../../access/readable.ts';

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
      description: 'People who post become participants. Anyone who leaves the Project is removed.',
    }),
    answersWithoutMention: z.boolean().meta({
      description:
        'Whether a message that mentions nobody is answered like one that mentions `@model`, as long as its author is the only participant.',
    }),
    taskId: recordId().nullable().meta({
      description:
        'The task that is discussed here. Such sessions are not in the list of sessions.',
    }),
    status: z.enum(['ACTIVE', 'ARCHIVED']),
    lastMessageAt: timestamp().nullable(),
    unreadCount: z.int().meta({
      description:
        'The number of messages by others that the caller has not read: those after the read mark, and replies in threads that they take part in and have not opened since. 100 means 100 or more.',
    }),
    muted: z.boolean().meta({ description: 'Whether the caller gets no notifications about it.' }),
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
  firstUnreadMessageId: recordId().nullable().meta({
    description:
      'The oldest unread message outside threads, among the last 500 messages. Null if there is none.',
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

export const ListAllSessions = ListSessions.extend({
  unread: queryFlag('Lists only sessions with unread messages.'),
});

export const AllSessionsPage = pageOf(Session)
  .extend({
    unreadTotal: z.int().meta({
      description:
        'The number of unread messages in all these sessions, on any page, read ones included. Each session counts for 100 at most.',
    }),
  })
  .meta({ id: 'AllSessionsPage' });

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
    title: clearable(title()),
    model: clearable(agentSlug()),
    participantUserIds: optional(participants()).meta({
      description: 'Replaces the list. A private session keeps at least one participant.',
    }),
    answersWithoutMention: optional(z.boolean()),
  })
  .meta({ id: 'UpdateSession' });

export const MarkRead = z
  .strictObject({
    messageId: text({ max: 50 }).meta({
      description: 'The last message that the caller has read.',
    }),
    parentMessageId: optional(text({ max: 50 })).meta({
      description:
        'Marks the thread below this message as read instead. `messageId` is one of its replies, or this message.',
    }),
  })
  .meta({ id: 'MarkRead' });

export const MarkUnread = z
  .strictObject({
    messageId: text({ max: 50 }).meta({ description: 'The first message to be unread again.' }),
  })
  .meta({ id: 'MarkUnread' });
export const MuteSession = z.strictObject({ muted: z.boolean() }).meta({ id: 'MuteSession' });

export const SpacePath = z.object({
  slug: z.string().meta({ description: "The Project's slug.", example: 'pricing-2027' }),
});
export const SessionPath = SpacePath.extend({ sessionId: pathId('session') });

export type CreateSession = z.output<typeof CreateSession>;
export type UpdateSession = z.output<typeof UpdateSession>;
export type ListSessions = z.output<typeof ListSessions>;
export type ListAllSessions = z.output<typeof ListAllSessions>;
export type MarkRead = z.output<typeof MarkRead>;
