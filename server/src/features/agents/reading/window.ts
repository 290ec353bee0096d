import type { SpokenMessage } from '../../messages/replies/service.ts';
import { showMessage } from './as-data.ts';

/** How many messages a prompt includes. Older ones are in the session's summary. */
const MOST_MESSAGES = 60;
/** How much of them, at about four characters per token. */
const MOST_CHARACTERS = 16_000;

/** Messages leave the window this many at a time, so that successive prompts begin with the same bytes. */
const MESSAGE_STEP = 20;
const CHARACTER_STEP = 4_000;

/** What has to be read to choose the window: one more than it holds. */
export const READ_FOR_WINDOW = MOST_MESSAGES + 1;

/** The newest messages, from the same oldest one on as for the last few questions. Both oldest first. */
export function newestMessages<T extends { position: number }>(read: readonly T[]): readonly T[] {
  const oldest = read[0]?.position ?? 0;
  if (read.length <= MOST_MESSAGES) return read;
  const start = Math.ceil(oldest / MESSAGE_STEP) * MESSAGE_STEP;
  return read.filter(({ position }) => position > start);
}

/** The newest texts that fit, which also begin with the same one for a while. Both oldest first. */
export function newestThatFit<T>(texts: readonly T[], lengthOf: (text: T) => number): T[] {
  const lengths = texts.map(lengthOf);
  const excess = sum(lengths) - MOST_CHARACTERS;
  const dropped = Math.max(0, Math.ceil(excess / CHARACTER_STEP)) * CHARACTER_STEP;
  let before = 0;
  return texts.filter((_, at) => {
    const isKept = before >= dropped;
    before += lengths[at] ?? 0;
    return isKept;
  });
}

/** Of the messages that are in no summary yet, this much is left out of the next one. */
const LEFT_MESSAGES = MOST_MESSAGES - MESSAGE_STEP;
const LEFT_CHARACTERS = MOST_CHARACTERS - CHARACTER_STEP;

/**
 * If these messages, oldest first, are too many for the window: the position of the last one to summarise,
 * which leaves room for the next few.
 */
export function overflowEnd(read: readonly SpokenMessage[]): number | undefined {
  const lengths = read.map((message) => showMessage(message).length);
  if (read.length <= MOST_MESSAGES && sum(lengths) <= MOST_CHARACTERS) return undefined;
  let left = 0;
  return read.findLast((_, at) => {
    left += lengths[at] ?? 0;
    return read.length - at > LEFT_MESSAGES || left > LEFT_CHARACTERS;
  })?.position;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
