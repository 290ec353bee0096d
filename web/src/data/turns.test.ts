import { describe, expect, it } from 'vitest';
import { createTurns } from './turns.ts';

describe('turns', () => {
  it('never overlap, and whatever is asked meanwhile is done once more', async () => {
    const turns = createTurns();
    const log: string[] = [];
    const gates: (() => void)[] = [];
    const run = async () => {
      log.push('start');
      await new Promise<void>((resolve) => gates.push(resolve));
      log.push('end');
    };
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    for (let nth = 0; nth < 5; nth++) void turns.take('a', run);
    expect(log).toEqual(['start']);
    gates.shift()?.();
    await settle();
    expect(log).toEqual(['start', 'end', 'start']);
    gates.shift()?.();
    await settle();
    expect(log).toEqual(['start', 'end', 'start', 'end']);
    void turns.take('a', run);
    void turns.take('b', run);
    expect(log.filter((entry) => entry === 'start')).toHaveLength(4);
  });
});
