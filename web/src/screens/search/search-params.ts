import { readTexts, type SearchChanges } from '../../data/search-params.ts';

const FILTERS = ['project', 'session', 'author', 'agent', 'after', 'before', 'has'] as const;
const TEXTS = ['q', ...FILTERS] as const;

/** What the address of the search screen holds: the words to look for, and the filters. */
export type MessageSearch = { [Name in (typeof TEXTS)[number]]?: string };

export function readMessageSearch(search: Record<string, unknown>): MessageSearch {
  return readTexts(search, TEXTS);
}

export const NO_FILTERS: SearchChanges<MessageSearch> = Object.fromEntries(
  FILTERS.map((name) => [name, undefined]),
);

export function isFiltered(search: MessageSearch): boolean {
  return FILTERS.some((name) => name in search);
}
