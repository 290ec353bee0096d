import { z } from 'zod';
import { optional, pathId, queryInteger, recordId, text, timestamp } from '../../http/fields.ts';
import { EMOJIS } from './emoji.ts';

const Reactions = z.array(
  z.object({ emoji: z.string(), count: z.int(), userIds: z.array(recordId()) }),
);

const ToolCall = z
  .object({
    server: z.string().meta({ description: "The MCP server's mentionSlug." }),
    name: z.string(),
    arguments: z.unknown().meta({
      description: 'As the model gave them; as text, and cut, where they are long.',
    }),
    result: z.string().meta({ description: 'What the tool said, cut where it is long.' }),
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
    agentSlug: z.string().nullable(),
    inReplyToMessageId: recordId().nullable(),
    body: z.string().meta({ description: 'Empty once the message is deleted.' }),
    mentions: z.array(z.string()).meta({ description: 'The slugs that the body mentions.' }),
    status: z.enum(['COMPLETED', 'FAILED']),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    citations: z.array(z.object({ memoryId: recordId() })),
    toolCalls: z
      .array(ToolCall)
      .meta({ description: 'The tools of MCP servers that an AGENT message made use of.' }),
    pendingReplies: z.array(PendingReply).meta({
      description:
        'The mentions that are still being answered. An entry is written with the message and cleared together with the arrival of its reply; a retry adds it again.',
    }),
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
      .meta({ description: 'What an AGENT message took; null for all others.' }),
    createdAt: timestamp(),
    editedAt: timestamp().nullable(),
    deletedAt: timestamp().nullable(),
  })
  .meta({ id: 'Message' });

export const MessageList = z
  .object({
    items: z.array(Message),
    total: z.int().meta({ description: 'How many messages the session, or the thread, has.' }),
    nextBefore: recordId()
      .nullable()
      .meta({ description: 'Send it as `before` to get the next, older ones.' }),
    hasMore: z.boolean(),
  })
  .meta({ id: 'MessageList' });

export const ListMessages = z.strictObject({
  before: z.string().optional().meta({ description: 'Messages older than this one.' }),
  around: z
    .string()
    .optional()
    .meta({ description: 'The messages on both sides of this one, and itself.' }),
  parentMessageId: z.string().optional().meta({ description: 'The replies to this message only.' }),
  limit: queryInteger({ min: 1, max: 100, fallback: 50, about: 'How many messages.' }),
});

const body = () => text({ max: 20_000 });

export const CreateMessage = z
  .strictObject({
    body: body().meta({
      description:
        'Markdown. `@model`, or a slug of `GET /models`, makes that model answer; every mention is noted in `mentions`.',
    }),
    parentMessageId: optional(text({ max: 50 })).meta({
      description: 'Makes it a reply in the thread of a top-level message.',
    }),
  })
  .meta({ id: 'CreateMessage' });

export const UpdateMessage = z
  .strictObject({ body: optional(body()) })
  .meta({ id: 'UpdateMessage' });

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
export const ReactionPath = MessagePath.extend({
  emoji: z.string().meta({ description: 'The emoji, percent-encoded.', example: '🎉' }),
});

export type ListMessages = z.output<typeof ListMessages>;
export type CreateMessage = z.output<typeof CreateMessage>;
