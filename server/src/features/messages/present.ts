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
    reactions: (message.reactions ?? []).map(({ emoji, count, userIds }) => ({
      emoji,
      count,
      userIds,
    })),
    replyCount: message.replyCount,
    usage: message.usage,
    createdAt: message.createdAt.toISOString(),
    editedAt: message.editedAt?.toISOString() ?? null,
    deletedAt: message.deletedAt?.toISOString() ?? null,
  };
}
