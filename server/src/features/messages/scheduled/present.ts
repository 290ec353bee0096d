import { isoTime } from '../../../db/utc-time.ts';
import { presentAttached } from '../../files/attaching/present.ts';
import { presentMessage } from '../present.ts';
import { BLANK_MESSAGE } from '../store.ts';
import type { ScheduledRow } from './service.ts';

export function presentScheduled(row: ScheduledRow) {
  return {
    id: row.id,
    sessionId: row.sessionId,
    parentMessageId: row.parentMessageId,
    body: row.body,
    attachments: row.attachments.map(presentAttached),
    sendAt: isoTime(row.sendAt),
    status: row.failure === null ? ('SCHEDULED' as const) : ('FAILED' as const),
    failure: row.failure,
    session: row.session,
    project: row.project,
    createdAt: isoTime(row.createdAt),
  };
}

/** As the message that it becomes. Who it mentions is known then. */
export function presentPlanned(authorUserId: string, row: ScheduledRow) {
  const { id, sessionId, parentMessageId, body, attachments, createdAt } = row;
  const message = { id, sessionId, parentMessageId, body, attachments, createdAt, authorUserId };
  return { ...presentMessage({ ...BLANK_MESSAGE, ...message }), sendAt: isoTime(row.sendAt) };
}
