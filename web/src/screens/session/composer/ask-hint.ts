import type { Message } from '@atrium/sdk';
import { wordsOf } from './mentions.ts';

type Sent = Pick<Message, 'body' | 'mentions' | 'pendingReplies'>;

interface Known {
  /** The slug of who answers here if nobody is named. */
  usual: string;
  /** Words of people's names, as `wordsOf` makes them. */
  people: ReadonlySet<string>;
}

/** After a message that nobody answers: how to ask. Undefined if somebody answers or it was for a person. */
export function hintAfter(message: Sent, { usual, people }: Known): string | undefined {
  const { body, mentions, pendingReplies } = message;
  if (pendingReplies.length > 0) return undefined;
  const howTo = `Mention @${usual} to ask.`;
  if (mentions.length === 0) return howTo;
  const named = [...body.matchAll(/@([\p{L}\p{M}\p{N}._-]+)/gu)].flatMap(([, name = '']) =>
    wordsOf(name),
  );
  if (named.some((word) => people.has(word))) return undefined;
  return `Nobody here answers to @${mentions[0]}. ${howTo}`;
}
