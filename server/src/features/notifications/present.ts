import { isoTime } from '../../db/utc-time.ts';
import type { NotificationList } from './service.ts';
import type { NotificationRow } from './store.ts';

export function presentNotification({ body, ...row }: NotificationRow) {
  return {
    id: row.id,
    kind: row.kind,
    projectId: row.projectId,
    projectSlug: row.projectSlug,
    projectName: row.projectName,
    sessionId: row.sessionId,
    sessionName: row.sessionName,
    messageId: row.messageId,
    taskId: row.taskId,
    taskNumber: row.taskNumber,
    actorUserId: row.actorUserId,
    actorName: row.actorName,
    actorAgent: row.actorAgent,
    text: body ?? sentenceFor(row),
    createdAt: isoTime(row.createdAt),
    readAt: row.readAt && isoTime(row.readAt),
  };
}

/** For what has no text of its own. */
function sentenceFor({
  kind,
  actorName,
  projectName,
}: Pick<NotificationRow, 'kind' | 'actorName' | 'projectName'>): string {
  if (kind === 'INVITATION_ACCEPTED') return `${actorName} accepted your invitation.`;
  if (kind !== 'CHANNEL_BROKEN') return '';
  return projectName === null
    ? 'A chat connection stopped working. See Settings → Chat connections.'
    : `A chat channel of ${projectName} stopped working. See its channels.`;
}

export function presentList({ rows, ...list }: NotificationList) {
  return { items: rows.map(presentNotification), ...list };
}
