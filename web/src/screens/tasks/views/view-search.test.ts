import type { TaskView } from '@atrium/sdk';
import { describe, expect, it } from 'vitest';
import { readTaskSearch } from '../list/search-params.ts';
import { isChanged, toSearch, toShown } from './view-search.ts';

const view = (changes: Partial<TaskView>) =>
  ({
    id: 'v',
    projectId: 'p',
    name: 'Mine',
    layout: 'LIST',
    filters: {},
    sort: 'rank',
    groupBy: 'STATUS',
    ...changes,
  }) as TaskView;

describe('the address of a view', () => {
  it('shows what the view remembers, and nothing that is so anyway', () => {
    expect(toSearch(view({}))).toEqual({ view: 'v' });
    const full = view({
      filters: {
        status: ['TODO', 'DONE'],
        assignee: ['me', '@recall'],
        priority: ['HIGH'],
        run: ['FAILED'],
        label: 'money',
        due: 'WEEK',
        query: 'price list',
      },
      sort: 'dueOn',
      groupBy: 'NONE',
    });
    const search = toSearch(full);
    expect(search).toEqual({
      view: 'v',
      q: 'price list',
      status: 'TODO,DONE',
      assignee: 'me,@recall',
      priority: 'HIGH',
      run: 'FAILED',
      label: 'money',
      due: 'week',
      sort: 'dueOn',
      group: 'none',
    });
    expect(readTaskSearch({ ...search })).toEqual(search);
    expect(toShown(search, 'LIST', false)).toMatchObject({ filters: full.filters, sort: 'dueOn' });
  });

  it('across projects, it says that everybody is meant', () => {
    const across = view({ projectId: null, sort: 'dueOn', groupBy: 'DUE' });
    expect(toSearch(across)).toEqual({ view: 'v', assignee: 'all' });
    expect(toShown(toSearch(across), 'LIST', true)).toMatchObject({ filters: {}, sort: 'dueOn' });
    expect(toShown({}, 'LIST', true).filters).toEqual({ assignee: ['me'] });
  });

  it('is another one after a change, and the same after it is taken back', () => {
    const saved = view({ filters: { status: ['TODO'] } });
    const search = toSearch(saved);
    expect(isChanged(saved, search, 'LIST')).toBe(false);
    expect(isChanged(saved, search, 'BOARD')).toBe(true);
    expect(isChanged(saved, { ...search, label: 'x' }, 'LIST')).toBe(true);
    expect(isChanged(saved, { ...search, group: 'status' }, 'LIST')).toBe(false);
  });
});
