import type { SessionRow } from './store.ts';

export function presentSession(session: SessionRow) {
  return {
    id: session.id,
    projectId: session.projectId,
    name: session.name,
    title: session.title,
    description: session.description,
    defaultAgent: session.defaultAgent,
    model: session.model,
    participantUserIds: session.participantUserIds,
    status: session.archivedAt === null ? ('ACTIVE' as const) : ('ARCHIVED' as const),
    lastMessageAt: session.lastMessageAt?.toISOString() ?? null,
    unreadCount: session.unreadCount,
    createdById: session.createdById,
    createdAt: session.createdAt.toISOString(),
    updatedAt: session.updatedAt.toISOString(),
    archivedAt: session.archivedAt?.toISOString() ?? null,
  };
}
