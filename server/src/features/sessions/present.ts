import { isoTime } from '../../db/utc-time.ts';
import type { SessionDetails } from './service.ts';
import type { SessionRow } from './store.ts';

export function presentDetails(details: SessionDetails) {
  const { answersAs, firstUnreadMessageId, summary, ...session } = details;
  return {
    ...presentSession(session),
    answersAs,
    firstUnreadMessageId,
    summary: summary && {
      text: summary.text,
      untilMessageId: summary.untilMessageId,
      updatedAt: summary.updatedAt.toISOString(),
    },
  };
}

export function presentSession(session: SessionRow) {
  return {
    id: session.id,
    projectId: session.projectId,
    kind: session.kind,
    access: session.access,
    name: session.name,
    title: session.title,
    description: session.description,
    defaultAgent: session.defaultAgent,
    model: session.model,
    participantUserIds: session.participantUserIds,
    answersWithoutMention: session.answersWithoutMention,
    taskId: session.taskId,
    status: session.archivedAt === null ? ('ACTIVE' as const) : ('ARCHIVED' as const),
    lastMessageAt: session.lastMessageAt && isoTime(session.lastMessageAt),
    isForEveryone: session.isForEveryone,
    unreadCount: session.unreadCount,
    isFollowed: session.isFollowed,
    level: session.level,
    muted: session.level === 'NONE',
    createdById: session.createdById,
    createdAt: isoTime(session.createdAt),
    updatedAt: isoTime(session.updatedAt),
    archivedAt: session.archivedAt && isoTime(session.archivedAt),
  };
}
