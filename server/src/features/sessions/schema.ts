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
import { LEVELS } from '../../access/following.ts';
import { MOST_PARTICIPANTS } from '../../access/readable.ts';

export const Level = z.enum(LEVELS).meta({
  description:
    'What the caller is told about. ALL: mentions, replies to them and replies in their threads. MENTIONS: mentions and replies to them. NONE: mentions only, in the inbox and nowhere else.',
});

export const Session = z
  .object({
    id: recordId(),
    projectId: recordId(),
    name: z.string(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    defaultAgent: z.string().nullable(),
    model: z.string().nullable(),
    kind: z.enum(['PROJECT', 'DIRECT']).meta({
      description:
        'DIRECT: the conversation of a few people, outside Projects. In paths, it is under the slug `direct`.',
    }),
    access: z.enum(['PROJECT', 'PARTICIPANTS']).meta({
      description:
        'PROJECT: every member of the Project can read and write. PARTICIPANTS: only the participants can, and for everyone else, OWNERs and ADMINs included, the session does not exist.',
    }),
    participantUserIds: z.array(recordId()).meta({
      description:
        'People who post become participants. Anyone who leaves the Project is removed. Those of a direct conversation never change.',
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
        'The number of messages by others that the caller has not read, if they follow the session: those after the read mark, and replies in threads that they take part in and have not opened since. 100 means 100 or more.',
    }),
    isForEveryone: z.boolean().meta({
      description:
        'Whether every member of the Project follows it unless they left. True for the first session of a Project. Never true for a private session.',
    }),
    isFollowed: z.boolean().meta({
      description:
        'Whether the caller follows it: they made it, take part, wrote in it, were mentioned or chose to, or it is for everyone; and they have not left it since.',
    }),
    level: Level,
    muted: z.boolean().meta({ description: 'Whether `level` is NONE. Use `level` instead.' }),
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
  followed: queryFlag('Lists only sessions that the caller follows.'),
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
    isForEveryone: optional(z.boolean()).meta({
      description:
        'Every member of the Project follows the session unless they leave it. Default: whether it is the first session of its Project that all members can read.',
    }),
    defaultAgent: optional(agentSlug()),
    answersWithoutMention: optional(z.boolean()).meta({ description: 'Default: false.' }),
    isUnnamed: optional(z.boolean()).meta({
      description:
        'True: `name` is only there until the first message, whose first sentence becomes the name. A `title` stays as it is. Default: false.',
    }),
  })
  .meta({ id: 'CreateSession' });

/** With the caller, nine people. */
const MOST_OTHERS = 8;

export const OpenDirect = z
  .strictObject({
    userIds: z
      .array(text({ max: 50 }))
      .min(1)
      .max(MOST_OTHERS)
      .transform((ids) => [...new Set(ids)])
      .meta({ description: 'The other people, who are members of the organisation.' }),
  })
  .meta({ id: 'OpenDirect' });

export const UpdateSession = z
  .strictObject({
    title: clearable(title()),
    model: clearable(agentSlug()),
    participantUserIds: optional(participants()).meta({
      description: 'Replaces the list. A private session keeps at least one participant.',
    }),
    answersWithoutMention: optional(z.boolean()),
    isForEveryone: optional(z.boolean()).meta({
      description: "Only for the session's creator, an OWNER or an ADMIN.",
    }),
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

export const FollowSession = z
  .strictObject({
    level: optional(Level).meta({ description: 'What to be told about. Default: unchanged.' }),
  })
  .meta({ id: 'FollowSession' });

export const SessionReach = z
  .object({
    mayBroadcast: z.boolean().meta({
      description: 'Whether the Project lets the caller use @here and @everyone.',
    }),
    here: z.int().meta({ description: 'How many followers @here would tell now, at most 200.' }),
    everyone: z
      .int()
      .meta({ description: 'How many followers @everyone would tell, at most 200.' }),
  })
  .meta({ id: 'SessionReach' });

export const MuteSession = z.strictObject({ muted: z.boolean() }).meta({ id: 'MuteSession' });

export const SpacePath = z.object({
  slug: z.string().meta({ description: "The Project's slug.", example: 'pricing-2027' }),
});
export const SessionPath = SpacePath.extend({ sessionId: pathId('session') });

export type CreateSession = z.output<typeof CreateSession>;
export type UpdateSession = z.output<typeof UpdateSession>;
export type ListSessions = z.output<typeof ListSessions>;
export type ListAllSessions = z.output<typeof ListAllSessions>;
export type FollowSession = z.output<typeof FollowSession>;
export type MarkRead = z.output<typeof MarkRead>;
