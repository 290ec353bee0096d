import { isoTime } from '../../db/utc-time.ts';
import type { MessageRow } from './store.ts';

export function presentMessage(message: MessageRow) {
  return {
    id: message.id,
    sessionId: message.sessionId,
    parentMessageId: message.parentMessageId,
    authorKind: message.authorKind,
    authorUserId: message.authorUserId,
    agentSlug: message.agentSlug,
    inReplyToMessageId: message.inReplyToMessageId,
    body: message.body,
    mentions: message.mentions,
    status: message.status,
    error: message.error,
    citations: message.citations,
    toolCalls: message.toolCalls,
    pendingReplies: message.pendingReplies.map(({ mention, startedAt }) => ({
      mention,
      startedAt,
    })),
    reactions: message.reactions.map(({ emoji, userIds }) => ({
      emoji,
      count: userIds.length,
      userIds,
    })),
    replyCount: message.replyCount,
    usage: message.usage,
    createdAt: isoTime(message.createdAt),
    editedAt: message.editedAt && isoTime(message.editedAt),
    deletedAt: message.deletedAt && isoTime(message.deletedAt),
  };
}
