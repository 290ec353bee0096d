import { isoTime } from '../../db/utc-time.ts';
import { escapeMarkdown } from '../../text/plain-text.ts';
import type { ReminderRow } from './service.ts';

export function presentReminder(row: ReminderRow) {
  return {
    id: row.id,
    at: isoTime(row.at),
    text: row.text,
    messageId: row.messageId,
    taskId: row.taskId,
    taskNumber: row.taskNumber,
    excerpt: row.fileNames === null ? row.excerpt : escapeMarkdown(row.fileNames),
    session: row.session,
    project: row.project,
    createdAt: isoTime(row.createdAt),
  };
}
