import type { Message } from '@atrium/sdk';

/** What a list says of a message: its text, or the names of its files if it has only files. */
export function saidIn({ body, attachments }: Pick<Message, 'body' | 'attachments'>): string {
  return body === '' ? attachments.map(({ name }) => name).join(', ') || 'Deleted file' : body;
}
