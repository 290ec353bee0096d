import { describe, expect, it } from 'vitest';
import { countRounds } from '../../test/harness/counting/count-rounds.ts';
import { createFairTurns } from './fair-turns.ts';

describe('fair turns', () => {
  it('serve orgs in turn, so that nobody waits for all the work of another org', async () => {
    const turns = createFairTurns();
    const order: string[] = [];
    const take = (orgId: string, name: string) => turns.take(orgId, () => order.push(name));
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => take('a', name)),
      ...['b1', 'b2'].map((name) => take('b', name)),
      take('c', 'c1'),
    ]);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('let the event loop run between any two pieces', async () => {
    const turns = createFairTurns();
    const { rounds, stop } = countRounds();
    const seen: number[] = [];
    const piece = () => turns.take('a', () => seen.push(rounds()));
    await Promise.all([piece(), piece(), piece(), piece()]);
    stop();
    expect(new Set(seen).size).toBe(4);
  });

  it('run one piece at a time, and continue after one that fails', async () => {
    const turns = createFairTurns();
    let running = 0;
    let most = 0;
    const piece = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => void setImmediate(resolve));
      running--;
    };
    const results = await Promise.allSettled([
      turns.take('a', piece),
      turns.take('a', () => Promise.reject(new Error('no'))),
      turns.take('b', piece),
      turns.take('a', piece),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(most).toBe(1);
  });
});
