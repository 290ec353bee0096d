import { describe, expect, it } from 'vitest';
import { createSchedule } from './schedule.ts';

const window = (name: string, length: number) => ({ name, ids: Array.from({ length }, () => 0) });
const namesOf = (batch: { name: string }[]) => batch.map(({ name }) => name);

describe('the schedule', () => {
  it('serves queries, then writes, then background work, each in order of arrival', () => {
    const schedule = createSchedule((name: string) => [window(name, 200)]);
    schedule.add('background', 'b1');
    schedule.add('write', 'w1');
    schedule.add('query', 'q1');
    schedule.add('background', 'b2');
    schedule.add('write', 'w2');
    schedule.add('write', 'w3');
    const order = Array.from({ length: 5 }, () => namesOf(schedule.takeBatch()));
    expect(order).toEqual([['q1'], ['w1', 'w2'], ['w3'], ['b1', 'b2'], []]);
  });

  it('puts together what is of similar length, with the oldest always among it', () => {
    const lengths: Record<string, number> = { old: 20, long: 250, near: 22, longer: 256, same: 20 };
    const schedule = createSchedule((name: string) => [window(name, lengths[name] ?? 0)]);
    for (const name of Object.keys(lengths)) schedule.add('write', name);
    expect(namesOf(schedule.takeBatch())).toEqual(['old', 'same', 'near']);
    expect(namesOf(schedule.takeBatch())).toEqual(['long', 'longer']);
  });

  it('opens a text only when its turn is near', () => {
    let opened = 0;
    const schedule = createSchedule((name: string) => {
      opened++;
      return [window(name, 256)];
    });
    for (let at = 0; at < 1_000; at++) schedule.add('background', `${at}`);
    expect(schedule.takeBatch()).toHaveLength(2);
    expect(opened).toBe(64);
  });

  it('forgets what is dropped', () => {
    const schedule = createSchedule((name: string) => [
      window(name, 256),
      window(name, 256),
      window(name, 256),
    ]);
    schedule.add('write', 'one');
    schedule.add('write', 'two');
    expect(namesOf(schedule.takeBatch())).toEqual(['one', 'one']);
    schedule.drop(
      (text) => text === 'one',
      ({ name }) => name === 'one',
    );
    expect(namesOf(schedule.takeBatch())).toEqual(['two', 'two']);
  });
});
