import { expect, it } from 'vitest';
import { createOrgLimit } from './org-limit.ts';

it('runs so many of an org at a time, in order, and those of others beside them', async () => {
  const limit = createOrgLimit(2);
  const log: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const start = (orgId: string, name: string) =>
    limit(orgId, async () => {
      log.push(name);
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      await gate.promise;
    });
  const all = [
    ...['a1', 'a2', 'a3', 'a4'].map((name) => start('a', name).catch(() => log.push('failed'))),
    start('b', 'b1'),
  ];
  expect(log).toEqual(['a1', 'a2', 'b1']);
  gates.get('a2')?.reject(new Error('broken'));
  await expect.poll(() => log).toEqual(['a1', 'a2', 'b1', 'a3', 'failed']);
  gates.get('a1')?.resolve();
  await expect.poll(() => log).toContain('a4');
  for (const gate of gates.values()) gate.resolve();
  await Promise.all(all);
  void start('a', 'a5');
  expect(log.at(-1)).toBe('a5');
});
