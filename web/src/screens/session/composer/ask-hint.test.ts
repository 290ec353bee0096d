import { describe, expect, it } from 'vitest';
import { hintAfter } from './ask-hint.ts';
import { wordsOf } from './mentions.ts';

const known = { usual: 'house', people: new Set(wordsOf('Zoë Gray zoe.gray')) };
const after = (body: string, mentions: string[] = [], answering: string[] = []) =>
  hintAfter(
    { body, mentions, pendingReplies: answering.map((mention) => ({ mention, startedAt: '' })) },
    known,
  );

describe('after a message', () => {
  it('that asked nobody, it says whom to mention', () => {
    expect(after('What do we know?')).toBe('Mention @house to ask.');
  });

  it('to a name that nobody has, it says so', () => {
    expect(after('@hose what do we know?', ['hose'])).toBe(
      'Nobody here answers to @hose. Mention @house to ask.',
    );
  });

  it.each([
    ['@house what?', ['house'], ['house']],
    ['@Zoë look', ['zo'], []],
    ['@zoe.gray, look', ['zoe.gray'], []],
    ['@hose and @gray, look', ['hose', 'gray'], []],
  ])('%j says nothing', (body, mentions, answering) =>
    expect(after(body, mentions, answering)).toBeUndefined(),
  );
});
