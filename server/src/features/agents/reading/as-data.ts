import { shorten } from '../../../text/shorten.ts';
import type { SpokenMessage } from '../../messages/replies/service.ts';

/** A longer message is cut. */
export const LONGEST_MESSAGE = 4_000;

/** A message between tags that nothing inside can close, with the names of its files. */
export function showMessage(
  { author, authorKind, createdAt, body }: SpokenMessage,
  files: readonly string[] = [],
): string {
  const about = {
    from: author,
    kind: authorKind.toLowerCase(),
    at: createdAt.toISOString(),
    ...(files.length > 0 && { files: files.join(', ') }),
  };
  return tag('message', about, escape(cut(body)));
}

/** The content is escaped by the caller, because it may be tags itself. */
export function tag(name: string, attributes: Record<string, string>, content: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  return `<${name}${written.join('')}>\n${content}\n</${name}>`;
}

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

export function cut(text: string): string {
  return shorten(text, LONGEST_MESSAGE);
}
