import { z } from 'zod';
import {
  agentSlug,
  continuation,
  moment,
  optional,
  pageOf,
  pageQuery,
  pathId,
  queryFlag,
  queryInteger,
  recordId,
  text,
  timestamp,
} from '../../core/fields.ts';
import { EMOJIS } from './emoji.ts';

const Reactions = z.array(
  z.object({
    emoji: z.string(),
    count: z.int().meta({ description: 'Of members, and of people in a mapped channel.' }),
    userIds: z.array(recordId()),
  }),
);

const ExternalAuthor = z
  .object({
    provider: z.enum(['SLACK', 'MATTERMOST']),
    id: z.string().meta({ description: 'The id of the person in the chat system.' }),
    name: z.string(),
  })
  .meta({ id: 'ExternalAuthor' });

const ToolCall = z
  .object({
    server: z.string().meta({
      description: "The MCP server's mentionSlug, or the agent's own slug for a built-in tool.",
    }),
    name: z.string(),
    arguments: z.unknown().meta({
      description: 'As the model sent them. Long arguments are truncated and returned as text.',
    }),
    result: z.string().meta({ description: 'What the tool returned, truncated if it is long.' }),
    isError: z.boolean(),
    latencyMs: z.int(),
  })
  .meta({ id: 'ToolCall' });

const PendingReply = z
  .object({
    mention: z.string().meta({ description: 'The slug, as in `mentions`.' }),
    startedAt: timestamp().meta({
      description: 'When the reply was asked for: with the message, or with the latest retry.',
    }),
  })
  .meta({ id: 'PendingReply' });

export const Message = z
  .object({
    id: recordId(),
    sessionId: recordId(),
    parentMessageId: recordId().nullable(),
    authorKind: z.enum(['USER', 'AGENT']),
    authorUserId: recordId().nullable(),
    externalAuthor: ExternalAuthor.nullable().meta({
      description:
        'Who wrote it in the chat system, for every message that came from a chat channel. `authorUserId` is the member they are taken for, or null: then they have no rights here. Null for messages that members posted from a channel before this was recorded.',
    }),
    agentSlug: z.string().nullable(),
    inReplyToMessageId: recordId().nullable(),
    body: z.string().meta({ description: 'Empty after the message was deleted.' }),
    mentions: z.array(z.string()).meta({ description: 'The slugs that the body mentions.' }),
    status: z.enum(['COMPLETED', 'FAILED', 'STOPPED']).meta({
      description:
        'For AGENT messages: FAILED ones have an `error`, STOPPED ones end where somebody stopped them.',
    }),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    citations: z
      .array(z.object({ memoryId: recordId().optional(), messageId: recordId().optional() }))
      .meta({
        description:
          'The memories that an AGENT message refers to, by `memoryId`, and the messages of other sessions, by `messageId`. Each entry has one of them.',
      }),
    toolCalls: z.array(ToolCall).meta({
      description: 'The calls to tools that an AGENT message is based on.',
    }),
    pendingReplies: z.array(PendingReply).meta({
      description:
        'The mentions that are still being answered. Each entry is written with the message and removed in the commit that adds its reply. A retry adds it again.',
    }),
    mentionedUserIds: z.array(recordId()).meta({
      description:
        'The members of the Project whom the body mentions by their handles, at most 50.',
    }),
    tasks: z
      .array(z.object({ id: recordId(), number: z.int() }))
      .meta({ description: 'The tasks that were made from this message.' }),
    reactions: Reactions,
    replyCount: z.int(),
    usage: z
      .object({
        inputTokens: z.int(),
        outputTokens: z.int(),
        credits: z.int(),
        latencyMs: z.int(),
      })
      .nullable()
      .meta({
        description:
          'The tokens, credits and time that an AGENT message took; null for other messages.',
      }),
    createdAt: timestamp(),
    editedAt: timestamp().nullable(),
    deletedAt: timestamp().nullable(),
  })
  .meta({ id: 'Message' });

export const SessionEvents = z.object({ projectId: recordId(), sessionId: recordId() });

export const MessageList = z
  .object({
    items: z.array(Message),
    total: z
      .int()
      .meta({ description: 'The number of messages in the session, or in the thread.' }),
    ...continuation('Send it as `before` to get the next, older messages.'),
  })
  .meta({ id: 'MessageList' });

export const ListMessages = z.strictObject({
  before: z.string().optional().meta({ description: 'Only messages older than this one.' }),
  around: z
    .string()
    .optional()
    .meta({ description: 'This message with those before and after it.' }),
  parentMessageId: z.string().optional().meta({ description: 'Only the replies to this message.' }),
  limit: queryInteger({
    min: 1,
    max: 100,
    fallback: 50,
    about: 'The most messages. A page of long ones has fewer: see `hasMore`.',
  }),
});

const id = () => text({ max: 50 });

export const SearchMessages = z
  .strictObject({
    query: text({ max: 2000 }).meta({
      description:
        'Words to look for, in any order. A part in double quotes is a phrase that must occur.',
    }),
    projectId: optional(id()).meta({ description: 'Only messages of this Project.' }),
    sessionId: optional(id()).meta({ description: 'Only messages of this session.' }),
    authorUserId: optional(id()).meta({ description: "Only this person's messages." }),
    agent: optional(agentSlug()).meta({
      description: 'Only replies of the model or agent with this slug.',
    }),
    createdAfter: optional(moment()).meta({
      description: 'Only messages created at this time or later.',
    }),
    createdBefore: optional(moment()).meta({
      description: 'Only messages created before this time.',
    }),
    limit: optional(z.int().min(1).max(100)).transform((limit) => limit ?? 20),
  })
  .meta({ id: 'SearchMessages' });

/** Where a message is, for lists of more than one session. */
const place = {
  session: z.object({ id: recordId(), name: z.string(), title: z.string().nullable() }),
  project: z.object({ id: recordId(), slug: z.string(), name: z.string() }),
};

export const MessageMatch = z
  .object({
    message: Message,
    ...place,
    score: z.number().min(0).max(1).meta({
      description: "The share of the query's words that the message has, weighted by rarity.",
    }),
    highlights: z.array(z.object({ start: z.int(), end: z.int() })).meta({
      description:
        'Where the words and phrases are in the body, in code points: from `start` up to and without `end`.',
    }),
  })
  .meta({ id: 'MessageMatch' });

export const MessageMatches = z
  .object({
    items: z.array(MessageMatch),
    total: z.int(),
    degraded: z.boolean().meta({
      description:
        'True if matches may be missing: while older messages are still being indexed after an upgrade, or if there was more text to look through, or to return, than one search may.',
    }),
  })
  .meta({ id: 'MessageMatches' });

const body = () => text({ max: 20_000 });

export const CreateMessage = z
  .strictObject({
    body: body().meta({
      description:
        'Markdown. `@model`, or a slug from `GET /models`, makes that model reply. `@` and the handle of a member of the Project mentions that person. `mentions` lists every mention.',
    }),
    parentMessageId: optional(id()).meta({
      description: 'Posts the message as a reply in the thread of this top-level message.',
    }),
  })
  .meta({ id: 'CreateMessage' });

export const UpdateMessage = z
  .strictObject({ body: optional(body()) })
  .meta({ id: 'UpdateMessage' });

export const Thread = z
  .object({
    id: recordId().meta({ description: "The first message's." }),
    parent: Message.meta({ description: 'The message that was replied to.' }),
    ...place,
    unreadCount: z
      .int()
      .meta({ description: 'The number of unread replies by others. 100 means 100 or more.' }),
    lastReplyAt: timestamp(),
  })
  .meta({ id: 'Thread' });

export const ThreadPage = pageOf(Thread).meta({ id: 'ThreadPage' });

export const ListThreads = pageQuery().extend({
  unread: queryFlag('Lists only threads with unread replies.'),
});

export const Reaction = z
  .object({
    messageId: recordId(),
    emoji: z.string(),
    userId: recordId(),
    createdAt: timestamp(),
  })
  .meta({ id: 'Reaction' });

export const CreateReaction = z
  .strictObject({ emoji: text({ max: 32 }).meta({ description: `One of ${EMOJIS.join(' ')}` }) })
  .meta({ id: 'CreateReaction' });

const SpacePath = z.object({
  slug: z.string().meta({ description: "The Project's slug.", example: 'pricing-2027' }),
});
export const SessionMessagesPath = SpacePath.extend({ sessionId: pathId('session') });
export const MessagePath = SpacePath.extend({ messageId: pathId('message') });
export const ReplyPath = MessagePath.extend({
  mention: z
    .string()
    .toLowerCase()
    .meta({ description: 'The slug, as in `mentions`.', example: 'model' }),
});
export const ReactionPath = MessagePath.extend({
  emoji: z.string().meta({ description: 'The emoji, percent-encoded.', example: '🎉' }),
});

export type SearchMessages = z.output<typeof SearchMessages>;
export type ListMessages = z.output<typeof ListMessages>;
export type CreateMessage = z.output<typeof CreateMessage>;
