import { describe, expect, it } from 'vitest';
import { QueueFull } from '../text-encoder.ts';
import { createQueueLimit, QUEUE_LIMITS } from './queue-limit.ts';

const LIMITS = { ...QUEUE_LIMITS, query: { texts: 12, characters: 1_000 } };

describe('the model’s queue', () => {
  it('has room for another org, however much one org sends', async () => {
    const admit = createQueueLimit(LIMITS);
    const gate = Promise.withResolvers<void>();
    const send = (orgId: string) =>
      admit({ priority: 'query', orgId }, ['text'], () => gate.promise);
    const outcomes = { a: 0, b: 0, c: 0 };
    const all: Promise<void>[] = [];
    for (const orgId of ['a', 'b', 'c'] as const) {
      for (let at = 0; at < 20; at++) {
        all.push(
          send(orgId).then(
            () => void outcomes[orgId]++,
            (error: unknown) => expect(error).toBeInstanceOf(QueueFull),
          ),
        );
      }
    }
    gate.resolve();
    await Promise.all(all);
    expect(outcomes).toEqual({ a: 6, b: 3, c: 1 });
  });

  it('has room again afterwards, even after a failure', async () => {
    const admit = createQueueLimit(LIMITS);
    const six = Array.from({ length: 6 }, () => 'text');
    const place = { priority: 'query' as const, orgId: 'a' };
    await expect(admit(place, six, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(admit(place, six, async () => 'done')).resolves.toBe('done');
    await expect(admit(place, ['x'.repeat(501)], async () => 'done')).rejects.toThrow(QueueFull);
  });
});
