import { isoTime } from '../../db/utc-time.ts';
import type { MessageSearchResult } from './search/service.ts';
import type { FoundMessage } from './search/store.ts';
import type { MessageRow } from './store.ts';
import type { ThreadRow } from './threads/store.ts';

export function presentThread({ parent, session, project, unreadCount, lastReplyAt }: ThreadRow) {
  return {
    id: parent.id,
    parent: presentMessage(parent),
    session,
    project,
    unreadCount,
    lastReplyAt: isoTime(lastReplyAt),
  };
}

export function presentMessage(message: MessageRow) {
  return {
    id: message.id,
    sessionId: message.sessionId,
    parentMessageId: message.parentMessageId,
    authorKind: message.authorKind,
    authorUserId: message.authorUserId,
    externalAuthor: message.externalAuthor,
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
    mentionedUserIds: message.mentionedUserIds,
    tasks: message.tasks,
    reactions: message.reactions.map(({ emoji, userIds, externals = 0 }) => ({
      emoji,
      count: userIds.length + externals,
      userIds,
    })),
    replyCount: message.replyCount,
    usage: message.usage,
    createdAt: isoTime(message.createdAt),
    editedAt: message.editedAt && isoTime(message.editedAt),
    deletedAt: message.deletedAt && isoTime(message.deletedAt),
  };
}

export function presentMatches({ found, degraded }: MessageSearchResult) {
  const items = found.map(({ message, score, highlights }) => ({
    ...presentFound(message),
    score,
    highlights,
  }));
  return { items, total: items.length, degraded };
}

export function presentFound(message: FoundMessage) {
  const { session, project } = message;
  return { message: presentMessage(message), session, project };
}
