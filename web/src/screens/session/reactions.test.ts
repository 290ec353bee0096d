import type { Message } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { toggleReaction } from './reactions.ts';

describe('a reaction', () => {
  it('keeps counting people in a mapped channel, who are not listed', () => {
    const before = {
      reactions: [{ emoji: '👍', count: 3, userIds: ['ada'] }],
    } as Message;
    const added = toggleReaction(before, '👍', 'bob');
    expect(added.reactions).toEqual([{ emoji: '👍', count: 4, userIds: ['ada', 'bob'] }]);
    const removed = toggleReaction(toggleReaction(added, '👍', 'bob'), '👍', 'ada');
    expect(removed.reactions).toEqual([{ emoji: '👍', count: 2, userIds: [] }]);
  });
});
