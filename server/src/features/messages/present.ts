import { isoTime } from '../../db/utc-time.ts';
import { presentAttached } from '../files/attaching/present.ts';
import type { ReactionRow } from './reactions/store.ts';
import type { MessageSearchResult } from './search/service.ts';
import type { FoundMessage } from './search/store.ts';
import type { MessageRow } from './store.ts';
import type { ThreadRow } from './threads/store.ts';

export function presentThread(thread: ThreadRow) {
  const { id, session, project, unreadCount } = thread;
  const lastReplyAt = isoTime(thread.lastReplyAt);
  return { id, parent: presentMessage(thread), session, project, unreadCount, lastReplyAt };
}

export function presentReaction(reaction: ReactionRow) {
  return { ...reaction, createdAt: reaction.createdAt.toISOString() };
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
    broadcast: message.broadcast,
    tasks: message.tasks,
    // Only while the body has the link: an older process may have edited or erased it.
    previews: message.previews.filter(({ url }) => message.body.includes(url)),
    attachments: message.attachments.map(presentAttached),
    reactions: message.reactions.map(({ emoji, userIds, externals = 0 }) => ({
      emoji,
      count: userIds.length + externals,
      userIds,
    })),
    replyCount: message.replyCount,
    branches: message.branches.map(({ messageId, active }) => ({ messageId, active })),
    pinnedAt: message.pinnedAt && isoTime(message.pinnedAt),
    pinnedById: message.pinnedById,
    usage: message.usage,
    createdAt: isoTime(message.createdAt),
    editedAt: message.editedAt && isoTime(message.editedAt),
    deletedAt: message.deletedAt && isoTime(message.deletedAt),
  };
}

/** For agents: what pages say is written by nobody here, and could be meant for them. */
export function withoutPreviews<M extends Pick<MessageRow, 'previews'>>(message: M): M {
  return { ...message, previews: [] };
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
