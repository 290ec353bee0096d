import type { MemorySearch } from '../../router.tsx';

export type SearchChanges = { [Name in keyof MemorySearch]: MemorySearch[Name] | undefined };

/** The address's part with these changes; undefined takes something out. */
export function changeSearch(before: MemorySearch, changes: SearchChanges): MemorySearch {
  const all = Object.entries({ ...before, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}
