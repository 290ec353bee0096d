import type { TaskActivity } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { changeInWords, groupOf, joinGroups, type Change } from './changes-in-words.ts';

function entry(minute: number, ...changes: Change[]): TaskActivity {
  return {
    id: `e${minute}`,
    taskId: 't',
    version: minute,
    actorUserId: 'ada',
    actorAgent: null,
    changes,
    createdAt: new Date(Date.UTC(2027, 0, 1, 12, minute)).toISOString(),
  };
}

const status = (from: string, to: string): Change => ({ field: 'status', from, to });
const labels = (from: string[], to: string[]): Change => ({ field: 'labels', from, to });

const join = (before: TaskActivity, after: TaskActivity) =>
  joinGroups(groupOf(before), groupOf(after));

describe('joinGroups', () => {
  it('tells what one person did within minutes as one, and each field once', () => {
    const first = entry(1, status('TODO', 'IN_PROGRESS'), labels([], ['a']));
    const second = entry(4, status('IN_PROGRESS', 'IN_REVIEW'), labels(['a'], ['a', 'b']));
    const both = join(first, second);
    expect(both?.changes).toEqual([status('TODO', 'IN_REVIEW'), labels([], ['a', 'b'])]);
    const third = groupOf(entry(8, { field: 'dueOn', from: null, to: '2027-01-02' }));
    expect(both && joinGroups(both, third)?.changes).toHaveLength(3);
  });

  it('keeps apart what others did, what came later, the creation, and what was taken back', () => {
    const done = entry(1, status('TODO', 'DONE'));
    const undone = status('DONE', 'TODO');
    expect(join(done, { ...entry(2, undone), actorUserId: 'bo' })).toBeUndefined();
    expect(join(done, { ...entry(2, undone), actorAgent: 'ada' })).toBeUndefined();
    expect(join(done, entry(30, labels([], ['a'])))).toBeUndefined();
    expect(join(entry(0), done)).toBeUndefined();
    expect(join(done, entry(2, undone))).toBeUndefined();
  });
});

describe('changeInWords', () => {
  it('says which labels came and went', () => {
    const words = (from: string[], to: string[]) => changeInWords(labels(from, to), String);
    expect(words([], ['a'])).toBe('added the label a');
    expect(words(['a', 'b'], ['c'])).toBe('added the label c and removed the labels a, b');
  });

  it('says how many files came and went', () => {
    const words = (from: string[], to: string[]) =>
      changeInWords({ field: 'fileIds', from, to }, String);
    expect(words([], ['a'])).toBe('added 1 file');
    expect(words(['a', 'b', 'c'], ['c', 'd'])).toBe('added 1 file and removed 2 files');
    expect(words(['a', 'b'], ['b', 'a'])).toBe('changed the order of the files');
  });
});
