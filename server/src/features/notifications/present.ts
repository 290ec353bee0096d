import { isoTime } from '../../db/utc-time.ts';
import { plainText } from '../../text/plain-text.ts';
import type { NotificationList } from './service.ts';
import type { NotificationRow } from './store.ts';

export function presentNotification(row: NotificationRow) {
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
    text: excerptOf(row) ?? sentenceFor(row),
    isQuiet: row.isQuiet,
    createdAt: isoTime(row.createdAt),
    readAt: row.readAt && isoTime(row.readAt),
  };
}

const LONGEST = 300;

type Quoted = Pick<NotificationRow, 'body' | 'fileNames' | 'taskNumber'>;

/** How a message begins, in plain text, or what files it has. A task's title is plain already. */
export function excerptOf({ body, fileNames, taskNumber }: Quoted): string | null {
  if (body === null || taskNumber !== null) return body;
  return (fileNames ?? plainText(body)).slice(0, LONGEST).toWellFormed();
}

/** For what has no text of its own. */
function sentenceFor({ kind, actorName, projectName }: NotificationRow): string {
  if (kind === 'INVITATION_ACCEPTED') return `${actorName} accepted your invitation.`;
  if (kind === 'REMINDER')
    return 'You wanted to be reminded of something that you can no longer read.';
  if (kind !== 'CHANNEL_BROKEN') return '';
  return projectName === null
    ? 'A chat connection stopped working. See Settings → Chat connections.'
    : `A chat channel of ${projectName} stopped working. See its channels.`;
}

export function presentList({ rows, ...list }: NotificationList) {
  return { items: rows.map(presentNotification), ...list };
}
