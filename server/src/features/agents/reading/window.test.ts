import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SpokenMessage } from '../../messages/replies/service.ts';
import { showMessage } from './as-data.ts';
import { newestMessages, newestThatFit, overflowEnd, READ_FOR_WINDOW } from './window.ts';

function messageAt(position: number, length = 10): SpokenMessage {
  return {
    id: `m${position}`,
    position,
    authorKind: 'USER',
    author: 'Ann',
    body: 'x'.repeat(length),
    createdAt: new Date(0),
    parentMessageId: null,
  };
}

const lengthOf = (message: SpokenMessage) => showMessage(message).length;
const sizeOf = (messages: readonly SpokenMessage[]) =>
  messages.reduce((total, each) => total + lengthOf(each), 0);

/** What a prompt would include after each message of a session, of which some are deleted. */
function windows(session: readonly SpokenMessage[]): SpokenMessage[][] {
  return session.map((_, at) => {
    const read = session.slice(Math.max(0, at + 1 - READ_FOR_WINDOW), at + 1);
    return newestThatFit(newestMessages(read), lengthOf);
  });
}

const sessions = fc
  .array(
    fc.record({ gap: fc.integer({ min: 1, max: 4 }), length: fc.integer({ max: 6_000, min: 1 }) }),
    {
      minLength: 1,
      maxLength: 200,
    },
  )
  .map((drawn) => {
    let position = 0;
    return drawn.map(({ gap, length }) => messageAt((position += gap), length));
  });

describe('the window', () => {
  it('never holds more than it may, and always the newest', () => {
    const property = fc.property(sessions, (session) => {
      for (const [at, held] of windows(session).entries()) {
        expect(held.length).toBeLessThanOrEqual(60);
        expect(sizeOf(held)).toBeLessThanOrEqual(16_000);
        expect(held).toEqual(session.slice(at + 1 - held.length, at + 1));
      }
    });
    fc.assert(property, { numRuns: 50 });
  });

  it('begins with the same message for twenty short messages, or 4,000 characters', () => {
    const firstOf = (length: number) =>
      windows(Array.from({ length: 200 }, (_, at) => messageAt(at + 1, length))).map(
        ([first]) => first?.position,
      );
    expect(new Set(firstOf(10)).size).toBe(8);
    // Seven messages of 560 characters are a step.
    const long = firstOf(500).slice(28, 59);
    expect(new Set(long).size).toBeLessThanOrEqual(6);
  });
});

describe('what is summarised', () => {
  it('nothing while everything fits; else what leaves a step of room', () => {
    const property = fc.property(sessions, (session) => {
      const read = session.slice(-READ_FOR_WINDOW);
      const end = overflowEnd(read);
      const fits = read.length <= 60 && sizeOf(read) <= 16_000;
      expect(end === undefined).toBe(fits);
      if (end === undefined) return;
      const left = read.filter(({ position }) => position > end);
      expect(left.length).toBeLessThanOrEqual(40);
      expect(sizeOf(left)).toBeLessThanOrEqual(12_000);
      const oneMore = read.slice(-left.length - 1);
      expect(oneMore.length > 40 || sizeOf(oneMore) > 12_000).toBe(true);
    });
    fc.assert(property, { numRuns: 200 });
  });
});
