import type { Task } from '@atrium/sdk';
import { expect, it } from 'vitest';
import { toUndo } from './undo-many.ts';

const task = (id: string, changes: Partial<Task> = {}) =>
  ({ id, status: 'TODO', labels: [], version: 1, archivedAt: null, ...changes }) as Task;
const moved = (id: string, wasAfterTaskId: string | null) => ({
  before: task(id),
  after: task(id, { status: 'DONE', version: 2 }),
  wasAfterTaskId,
});

it('takes back only what was changed, on top of the version that the change made', () => {
  const before = task('a', { priority: 'LOW', labels: ['x'] });
  const after = task('a', { priority: 'HIGH', labels: ['x', 'y'], version: 5 });
  expect(toUndo([{ before, after, wasAfterTaskId: 'b' }])).toEqual([
    { taskId: 'a', version: 5, priority: 'LOW', labels: ['x'] },
  ]);
  const gone = task('a', { version: 2, archivedAt: '2026-11-15T09:30:00.000Z' });
  expect(toUndo([{ before: task('a'), after: gone, wasAfterTaskId: null }])).toEqual([
    { taskId: 'a', version: 2, archived: false },
  ]);
});

it('puts neighbours back from the top, whatever the order of the list was', () => {
  const undone = toUndo([moved('c', 'b'), moved('a', 'z'), moved('b', 'a')]);
  expect(undone.map(({ taskId, afterTaskId }) => [taskId, afterTaskId])).toEqual([
    ['a', 'z'],
    ['b', 'a'],
    ['c', 'b'],
  ]);
});
