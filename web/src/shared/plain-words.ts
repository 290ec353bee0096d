import type { Message } from '@atrium/sdk';
import { plainText } from '../../../server/src/text/plain-text.ts';
import { saidIn } from '../data/message-words.ts';

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
/** As answers write when something was said, for readers anywhere. */
const TIMES = /\b(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}) UTC\b/g;

/** Markdown for a line of a list. */
export function plainly(markdown: string): string {
  return withLocalDays(plainText(markdown));
}

/** What a list says of a message. */
export function plainlySaidIn(message: Pick<Message, 'body' | 'attachments'>): string {
  // Names of files are no Markdown.
  return message.body === '' ? saidIn(message) : plainly(message.body);
}

/** A plain text in which times that an answer quotes are the reader's days. */
export function withLocalDays(text: string): string {
  return text.replaceAll(TIMES, (written, day: string, clock: string) => {
    const at = new Date(`${day}T${clock}:00Z`);
    return Number.isNaN(at.getTime()) ? written : DAY.format(at);
  });
}
