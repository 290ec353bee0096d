import type { Task } from '@atrium/sdk';
import { QueryClient, type InfiniteData } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { keys } from '../../../data/query-keys.ts';
import { columnParams, moveInCache, showOnce, type TaskPage } from './columns.ts';

const keyOf = (status: Task['status']) => [...keys.tasks('o', 'p'), 'pages', columnParams(status)];
const make = (id: string, status: Task['status']) => ({ id, status, projectId: 'p' }) as Task;

function createBoard() {
  const queryClient = new QueryClient();
  const put = (status: Task['status'], ...pages: string[][]) =>
    queryClient.setQueryData<InfiniteData<TaskPage>>(keyOf(status), {
      pages: pages.map((ids) => ({
        items: ids.map((id) => make(id, status)),
        total: pages.flat().length,
      })),
      pageParams: pages.map((_, at) => at + 1),
    });
  const read = (status: Task['status']) => {
    const data = queryClient.getQueryData<InfiniteData<TaskPage>>(keyOf(status));
    return data?.pages.map(({ items, total }) => [...items.map(({ id }) => id), total]);
  };
  return { queryClient, put, read };
}

describe('moveInCache', () => {
  it('moves a task to another column, after the given task, and counts it there', () => {
    const { queryClient, put, read } = createBoard();
    put('TODO', ['a', 'b'], ['c']);
    put('DONE', ['x'], ['y', 'z']);
    moveInCache(queryClient, 'o', make('b', 'TODO'), { status: 'DONE', afterTaskId: 'y' });
    expect(read('TODO')).toEqual([
      ['a', 2],
      ['c', 2],
    ]);
    expect(read('DONE')).toEqual([
      ['x', 4],
      ['y', 'b', 'z', 4],
    ]);
  });

  it('moves a task within its column, and first if it comes after none', () => {
    const { queryClient, put, read } = createBoard();
    put('TODO', ['a', 'b'], ['c']);
    moveInCache(queryClient, 'o', make('c', 'TODO'), { status: 'TODO', afterTaskId: null });
    expect(read('TODO')).toEqual([['c', 'a', 'b', 3], [3]]);
  });

  it('leaves columns that are not loaded alone', () => {
    const { queryClient, put, read } = createBoard();
    put('TODO', ['a']);
    moveInCache(queryClient, 'o', make('a', 'TODO'), { status: 'DONE', afterTaskId: null });
    expect(read('TODO')).toEqual([[0]]);
    expect(read('DONE')).toBeUndefined();
  });
});

describe('showOnce', () => {
  it('shows a task that moved between two requests where it is now, and counts it there', () => {
    const at = (id: string, version: number) => ({ id, version }) as Task;
    const shown = showOnce({
      TODO: { tasks: [at('a', 1), at('b', 1)], total: 60 },
      IN_REVIEW: { tasks: [at('a', 2)], total: 1 },
      DONE: { tasks: undefined, total: 0 },
    });
    expect(shown).toEqual({
      TODO: { tasks: [at('b', 1)], total: 59 },
      IN_REVIEW: { tasks: [at('a', 2)], total: 1 },
      DONE: { tasks: undefined, total: 0 },
    });
  });
});
