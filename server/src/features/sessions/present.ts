import { isoTime } from '../../db/utc-time.ts';
import type { SessionDetails } from './service.ts';
import type { SessionRow } from './store.ts';

export function presentDetails({ answersAs, summary, ...session }: SessionDetails) {
  return {
    ...presentSession(session),
    answersAs,
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
    access: session.access,
    name: session.name,
    title: session.title,
    description: session.description,
    defaultAgent: session.defaultAgent,
    model: session.model,
    participantUserIds: session.participantUserIds,
    status: session.archivedAt === null ? ('ACTIVE' as const) : ('ARCHIVED' as const),
    lastMessageAt: session.lastMessageAt && isoTime(session.lastMessageAt),
    unreadCount: session.unreadCount,
    createdById: session.createdById,
    createdAt: isoTime(session.createdAt),
    updatedAt: isoTime(session.updatedAt),
    archivedAt: session.archivedAt && isoTime(session.archivedAt),
  };
}
