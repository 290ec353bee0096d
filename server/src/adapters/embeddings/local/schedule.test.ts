import { describe, expect, it } from 'vitest';
import type { Priority } from '../text-encoder.ts';
import { createSchedule, MAX_BATCH_TOKENS, type Unit, type Work } from './schedule.ts';

interface NamedUnit extends Unit {
  name: string;
}
interface NamedWork extends Work<NamedUnit> {
  name: string;
}

function start() {
  const schedule = createSchedule<NamedWork, NamedUnit>();
  const opened: string[] = [];
  return {
    schedule,
    opened,
    /** Work of this many units; `name` begins with its org. */
    add: (
      priority: Priority,
      name: string,
      unit: Partial<Unit> = {},
      more: { units?: number; characters?: number } = {},
    ) => {
      const { units = 1, characters = 100 } = more;
      const open = () => {
        opened.push(name);
        return Array.from({ length: units }, () => ({ width: 200, ...unit, name }));
      };
      schedule.add(priority, { orgId: name.charAt(0), name, characters, open });
    },
    take: () => schedule.takeBatch().map(({ name }) => name),
  };
}

describe('the schedule', () => {
  it('serves queries, then writes, then background work, each in order of arrival', () => {
    const { add, take } = start();
    add('background', 'b1');
    add('write', 'b-w1');
    add('query', 'b-q1');
    add('background', 'b2');
    add('write', 'b-w2');
    const order = Array.from({ length: 6 }, take);
    expect(order).toEqual([['b-q1'], ['b-w1'], ['b-w2'], ['b1'], ['b2'], []]);
  });

  it('serves orgs in turn, so that nobody waits for everything another org has sent', () => {
    const { add, take } = start();
    for (let at = 0; at < 100; at++) add('query', `a${at}`);
    add('query', 'b0');
    add('query', 'c0');
    add('query', 'c1');
    expect(Array.from({ length: 6 }, take).flat()).toEqual(['a0', 'b0', 'c0', 'a1', 'c1', 'a2']);
  });

  it('lets the windows of one long text alternate with the texts of another org', () => {
    const { add, take } = start();
    add('write', 'a', { width: 256 }, { units: 16, characters: 10_000 });
    take();
    add('write', 'b1', { width: 256 });
    add('write', 'b2', { width: 256 });
    expect(Array.from({ length: 5 }, take).flat()).toEqual(['a', 'b1', 'a', 'b2', 'a']);
  });

  it('never makes a batch larger than one window, which bounds how long anybody waits', () => {
    const { add, schedule } = start();
    for (let at = 0; at < 200; at++)
      add('write', `${'abc'.charAt(at % 3)}${at}`, { width: 1 + ((at * 37) % 256) });
    for (let taken = 0; taken < 200;) {
      const batch = schedule.takeBatch();
      expect(batch.length * Math.max(...batch.map(({ width }) => width))).toBeLessThanOrEqual(
        MAX_BATCH_TOKENS,
      );
      expect(batch.length).toBeGreaterThan(0);
      taken += batch.length;
    }
  });

  it('continues with writes and background work however many queries arrive', () => {
    const { add, take } = start();
    add('write', 'w');
    add('background', 'b');
    const order: string[] = [];
    for (let at = 0; at < 30; at++) {
      add('query', `q${at}`);
      order.push(...take());
    }
    expect(order.indexOf('w')).toBe(8);
    expect(order.indexOf('b')).toBeLessThan(20);
  });

  it('batches texts of similar length from several orgs, always including the oldest', () => {
    const { add, take } = start();
    const widths = { a_old: 20, b_long: 120, c_near: 22, a_longer: 128, b_same: 20 };
    for (const [name, width] of Object.entries(widths)) add('write', name, { width });
    expect(take()).toEqual(['a_old', 'b_same', 'c_near']);
    expect(take()).toEqual(['b_long', 'a_longer']);
  });

  it('runs work that is not for the model by itself', () => {
    const { add, take } = start();
    add('query', 'a1', { width: 0, isAlone: true }, { units: 2 });
    add('query', 'b1', { width: 10 });
    add('query', 'c1', { width: 10 });
    expect(Array.from({ length: 3 }, take)).toEqual([['a1'], ['b1', 'c1'], ['a1']]);
  });

  it('opens a text only when its turn is near, and few characters at a time', () => {
    const { add, take, opened } = start();
    for (let at = 0; at < 1_000; at++) add('background', `a${at}`, { width: 256 });
    take();
    expect(opened).toHaveLength(41);
    for (let at = 0; at < 10; at++) take();
    expect(opened).toHaveLength(64 + 10);
    const long = start();
    for (let at = 0; at < 10; at++) long.add('write', `a${at}`, {}, { characters: 10_000 });
    long.take();
    expect(long.opened).toHaveLength(1);
  });

  it('forgets dropped work', () => {
    const { add, take, schedule } = start();
    add('write', 'a1', { width: 256 }, { units: 3 });
    add('write', 'a2', { width: 256 }, { units: 3 });
    expect(take()).toEqual(['a1']);
    schedule.drop(({ name }) => name === 'a1');
    expect(Array.from({ length: 4 }, take).flat()).toEqual(['a2', 'a2', 'a2']);
  });

  it('takes smaller batches if asked to, but always the text whose turn it is', () => {
    const { schedule, add } = start();
    for (let at = 0; at < 8; at++) add('write', `a${at}`, { width: 30 });
    expect(schedule.takeBatch(96)).toHaveLength(3);
    expect(schedule.takeBatch(10)).toHaveLength(1);
    expect(schedule.takeBatch()).toHaveLength(4);
  });

  it('waits for more texts until they fill a batch or somebody searches', () => {
    const { schedule, add, take } = start();
    expect(schedule.hasRoomForMore()).toBe(false);
    add('write', 'a1', { width: 30 }, { characters: 120 });
    expect(schedule.hasRoomForMore()).toBe(true);
    add('query', 'b1', { width: 30 });
    expect(schedule.hasRoomForMore()).toBe(false);
    take();
    expect(schedule.hasRoomForMore()).toBe(true);
    add('write', 'c1', { width: 200 }, { characters: 4 * (MAX_BATCH_TOKENS - 30) });
    expect(schedule.hasRoomForMore()).toBe(false);
    take();
    expect(schedule.hasRoomForMore()).toBe(true);
  });
});
