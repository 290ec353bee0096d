import { describe, expect, it } from 'vitest';
import { hintAfter } from './ask-hint.ts';

const zoe = { userId: 'zoe', name: 'Zoë Gray', email: 'zoe.gray@example.com', handle: 'zg' };
const after = (
  body: string,
  mentions: string[] = [],
  {
    answering = [],
    told = [],
    isForOne = false,
  }: { answering?: string[]; told?: string[]; isForOne?: boolean } = {},
) =>
  hintAfter(
    {
      body,
      mentions,
      mentionedUserIds: told,
      pendingReplies: answering.map((mention) => ({ mention, startedAt: '' })),
    },
    {
      usual: 'house',
      isForOne,
      members: [zoe, { ...zoe, userId: 'new', name: 'New', handle: null }],
    },
  );

describe('after a message', () => {
  it('that asked nobody, it says whom to mention', () => {
    expect(after('What do we know?')).toBe('Mention @house to ask.');
    expect(after('What do we know?', [], { isForOne: true })).toBe(
      'Mention @house to ask, because others take part in this session.',
    );
  });

  it('to a name that nobody has, it says so', () => {
    expect(after('@hose what do we know?', ['hose'])).toBe(
      'Nobody here answers to @hose. Mention @house to ask.',
    );
    expect(after('@Zoë look', ['zo'])).toBe('Nobody here answers to @Zoë. Mention @house to ask.');
  });

  it('to somebody without access, it says that they were not told', () => {
    const hint = 'Zoë Gray can’t read this session and was not notified.';
    expect(after('@zg look', ['zg'])).toBe(hint);
    expect(after('@zg @house look', ['zg', 'house'], { answering: ['house'] })).toBe(hint);
    expect(after('@zg @ann look', ['zg', 'ann'], { told: ['ann'] })).toBe(hint);
  });

  it.each([
    ['@house what?', ['house'], { answering: ['house'] }],
    ['@zg look', ['zg'], { told: ['zoe'] }],
    ['@zg answers', ['zg'], { answering: ['zg'] }],
    ['everybody and @zg', ['zg'], { told: Array.from({ length: 50 }, (_, at) => String(at)) }],
  ])('%j says nothing', (body, mentions, more) =>
    expect(after(body, mentions, more)).toBeUndefined(),
  );
});
