import { isoTime } from '../../db/utc-time.ts';
import type { ReminderRow } from './service.ts';

export function presentReminder(row: ReminderRow) {
  return {
    id: row.id,
    at: isoTime(row.at),
    text: row.text,
    messageId: row.messageId,
    taskId: row.taskId,
    taskNumber: row.taskNumber,
    excerpt: row.excerpt,
    session: row.session,
    project: row.project,
    createdAt: isoTime(row.createdAt),
  };
}
