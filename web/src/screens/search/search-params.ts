import { readTexts } from '../../data/search-params.ts';

const TEXTS = ['q', 'project', 'session', 'author', 'agent', 'after', 'before'] as const;

/** What the address of the search screen holds: the words to look for, and the filters. */
export type MessageSearch = { [Name in (typeof TEXTS)[number]]?: string };

export function readMessageSearch(search: Record<string, unknown>): MessageSearch {
  return readTexts(search, TEXTS);
}

export const NO_FILTERS = {
  project: undefined,
  session: undefined,
  author: undefined,
  agent: undefined,
  after: undefined,
  before: undefined,
};

export function isFiltered(search: MessageSearch): boolean {
  return Object.keys(NO_FILTERS).some((name) => name in search);
}
