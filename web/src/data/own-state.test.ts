import { expect, it } from 'vitest';
import { stateOf } from './own-state.ts';

const MINUTE = 60_000;

it.each([
  ['ACTIVE', { idleMs: 0, hiddenMs: 0 }],
  ['ACTIVE', { idleMs: 5 * MINUTE - 1, hiddenMs: 0 }],
  ['AWAY', { idleMs: 5 * MINUTE, hiddenMs: 0 }],
  ['ACTIVE', { idleMs: 0, hiddenMs: MINUTE / 2 - 1 }],
  ['AWAY', { idleMs: 0, hiddenMs: MINUTE / 2 }],
] as const)('%s: %j', (state, times) => {
  expect(stateOf(times)).toBe(state);
});
