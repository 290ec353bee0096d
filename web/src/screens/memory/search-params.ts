import { readTexts } from '../../data/search-params.ts';

const VISIBILITIES = ['PRIVATE', 'PROJECT', 'ORG'] as const;
const TEXTS = ['q', 'project', 'tag', 'after', 'before', 'id'] as const;

/** What the address of the memory screen holds: the search, the filters and the memory that is open (`id`). */
export type MemorySearch = { [Name in (typeof TEXTS)[number]]?: string } & {
  visibility?: (typeof VISIBILITIES)[number];
};

export function readMemorySearch(search: Record<string, unknown>): MemorySearch {
  const visibility = VISIBILITIES.find((name) => name === search['visibility']);
  return { ...readTexts(search, TEXTS), ...(visibility && { visibility }) };
}
