import type { Task } from '@atrium/sdk';
import { QueryClient, type InfiniteData } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { keys } from '../../../data/query-keys.ts';
import { columnParams, keepUntilFound, moveInCache, showOnce, type TaskPage } from './columns.ts';

const board = { orgId: 'o', projectId: 'p', filters: { label: 'x' } };
const keyOf = (status: Task['status']) => [
  ...keys.tasks('o', 'p'),
  'pages',
  columnParams(status, board.filters),
];
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
    moveInCache(queryClient, board, make('b', 'TODO'), { status: 'DONE', afterTaskId: 'y' });
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
    moveInCache(queryClient, board, make('c', 'TODO'), { status: 'TODO', afterTaskId: null });
    expect(read('TODO')).toEqual([['c', 'a', 'b', 3], [3]]);
  });

  it('leaves columns that are not loaded alone', () => {
    const { queryClient, put, read } = createBoard();
    put('TODO', ['a']);
    moveInCache(queryClient, board, make('a', 'TODO'), { status: 'DONE', afterTaskId: null });
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

describe('keepUntilFound', () => {
  const at = (id: string, version = 1) => ({ id, version }) as Task;
  const before = { TODO: { tasks: [at('a'), at('b'), at('c')] }, DONE: { tasks: [at('x')] } };
  const fetched = (isFetching: boolean, ...done: Task[]) => ({
    TODO: { tasks: [at('a'), at('c')], total: 2, isFetching: false },
    DONE: { tasks: done, total: done.length, isFetching },
  });

  it('shows a task that left its column where it was, while another column is fetched', () => {
    const shown = keepUntilFound(fetched(true, at('x')), before);
    expect(shown.TODO).toMatchObject({ tasks: [at('a'), at('b'), at('c')], total: 3 });
    expect(shown.DONE).toMatchObject({ tasks: [at('x')], total: 1 });
  });

  it('shows it in its new column as soon as it is there, and not twice', () => {
    for (const isFetching of [true, false]) {
      const columns = fetched(isFetching, at('b', 2), at('x'));
      expect(keepUntilFound(columns, before)).toEqual(columns);
    }
  });

  it('no longer shows a task that is in no column when all are fetched', () => {
    const columns = fetched(false, at('x'));
    expect(keepUntilFound(columns, before)).toEqual(columns);
    expect(keepUntilFound(columns, undefined)).toEqual(columns);
  });
});
