import { z } from 'zod';
import { attachments, fileIds } from '../files/attaching/schema.ts';
import { BROADCASTS } from '../../text/group-words.ts';
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

const LinkPreview = z
  .object({
    url: z.string().meta({ description: 'The link, as it is in the body.' }),
    site: z.string().meta({
      description: 'What the page calls its site, or the host of the link. Up to 80 characters.',
    }),
    title: z.string().meta({ description: 'Up to 200 characters.' }),
    description: z.string().nullable().meta({ description: 'Up to 300 characters.' }),
  })
  .meta({
    id: 'LinkPreview',
    description: 'What a page says about itself. It is plain text that anyone may have written.',
  });

const PendingReply = z
  .object({
    mention: z.string().meta({ description: 'The slug, as in `mentions`.' }),
    startedAt: timestamp().meta({
      description: 'When the reply was asked for: with the message, or with the latest retry.',
    }),
  })
  .meta({ id: 'PendingReply' });

const Branch = z
  .object({
    messageId: recordId().meta({ description: 'The question that the branch begins with.' }),
    active: z.boolean().meta({ description: 'Whether it is the one that is shown.' }),
  })
  .meta({ id: 'Branch' });

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
      .array(
        z.object({
          memoryId: recordId().optional(),
          messageId: recordId().optional(),
          documentId: recordId().optional(),
          page: z.int().optional(),
        }),
      )
      .meta({
        description:
          'What an AGENT message refers to: a memory by `memoryId`, a message of another session by `messageId`, or a `page` of a document by `documentId`. Each entry is one of them.',
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
        'The readers of the session whom the body mentions by their handles, or by a name that only one of them has, at most 50.',
    }),
    broadcast: z.enum(BROADCASTS).nullable().meta({
      description:
        'HERE or EVERYONE if the author wrote @here or @everyone and was allowed to: the followers of the session are told, at most 200. Null otherwise, also if the body has one of these words.',
    }),
    tasks: z
      .array(z.object({ id: recordId(), number: z.int() }))
      .meta({ description: 'The tasks that were made from this message.' }),
    previews: z.array(LinkPreview).meta({
      description:
        "Of the first three links of a person's message to public https pages, those that the server could read. They arrive after the message, and are kept for 30 days. Tools of the MCP endpoint never return any.",
    }),
    attachments: attachments().meta({
      description:
        'Its files, in the order of the post. Whoever can read the message can read them.',
    }),
    reactions: Reactions,
    replyCount: z.int(),
    branches: z.array(Branch).meta({
      description:
        'The versions of a question that was asked again, oldest first. Empty for every other message.',
    }),
    pinnedAt: timestamp().nullable().meta({ description: 'Null if it is not pinned.' }),
    pinnedById: recordId().nullable().meta({ description: 'Who pinned it in its session.' }),
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
    sendAt: timestamp().optional().meta({
      description: 'Only in the response to a post with `sendAt`: it is not posted yet.',
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
    total: z.int().meta({
      description:
        'The number of messages in the session, or in the thread, without branches that are not shown.',
    }),
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

/** What a message can be searched for, besides its words. */
const MessageContent = z
  .enum(['link', 'code', 'reaction', 'reply', 'file'])
  .meta({ id: 'MessageContent' });

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
    has: optional(z.array(MessageContent).max(MessageContent.options.length)).meta({
      description:
        'Only messages that have all of these: a link, code, a reaction, a reply, a file.',
    }),
    limit: optional(z.int().min(1).max(100)).transform((limit) => limit ?? 20),
  })
  .meta({ id: 'SearchMessages' });

/** Where a message is, for lists of more than one session. */
export const place = {
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

/** Empty only if there are files. */
export const body = () => text({ min: 0, max: 20_000 });

export const CreateMessage = z
  .strictObject({
    body: optional(body()).meta({
      description:
        'Markdown. It may be left out if there are files. `@model`, or a slug from `GET /models`, makes that model reply. `@` and the handle of a member of the Project mentions that person. `mentions` lists every mention.',
    }),
    parentMessageId: optional(id()).meta({
      description: 'Posts the message as a reply in the thread of this top-level message.',
    }),
    fileIds: optional(fileIds()).meta({
      description:
        'Files of the Project that the caller may read, CHECKING or READY. Whoever can read the message can then read them.',
    }),
    sendAt: optional(moment()).meta({
      description: 'Posts it at this time: in the future, at most 120 days ahead.',
    }),
  })
  .meta({ id: 'CreateMessage' });

export const UpdateMessage = z
  .strictObject({
    body: optional(body()).meta({ description: 'It may be empty if the message has files.' }),
    hidePreviews: optional(z.boolean()).meta({
      description:
        'True removes the previews of links, and makes no more. False makes them again, like a new message.',
    }),
  })
  .meta({ id: 'UpdateMessage' });

export const RetryMessage = z
  .strictObject({
    body: optional(text({ max: 20_000 })).meta({
      description:
        'Only for a question of your own: what to ask instead. Default: the same. Its files are part of it either way.',
    }),
    agent: optional(agentSlug()).meta({
      description:
        'Only for a question of your own: the model or agent that answers this time, whoever is mentioned.',
    }),
  })
  .meta({ id: 'RetryMessage' });

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
  .strictObject({
    emoji: text({ max: 32 }).meta({
      description:
        'One emoji that Unicode 16.0 recommends, with or without a skin tone. The character itself, not `:tada:`.',
      example: '🎉',
    }),
  })
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
  emoji: z.string().meta({
    description: 'The emoji, percent-encoded, with or without U+FE0F.',
    example: '🎉',
  }),
});

export type Message = z.output<typeof Message>;
export type MessageList = z.output<typeof MessageList>;
export type Thread = z.output<typeof Thread>;
export type Reaction = z.output<typeof Reaction>;
export type SessionMessagesPath = z.output<typeof SessionMessagesPath>;
export type MessagePath = z.output<typeof MessagePath>;
export type ReplyPath = z.output<typeof ReplyPath>;
export type ReactionPath = z.output<typeof ReactionPath>;
export type SearchMessages = z.output<typeof SearchMessages>;
export type MessageContent = z.output<typeof MessageContent>;
export type ListThreads = z.output<typeof ListThreads>;
export type ListMessages = z.output<typeof ListMessages>;
export type CreateMessage = z.output<typeof CreateMessage>;
export type UpdateMessage = z.output<typeof UpdateMessage>;
export type RetryMessage = z.output<typeof RetryMessage>;
export type CreateReaction = z.output<typeof CreateReaction>;
