const VISIBILITIES = ['PRIVATE', 'PROJECT', 'ORG'] as const;
const TEXTS = ['q', 'project', 'tag', 'after', 'before', 'id'] as const;

/** What the address of the memory screen holds: the search, the filters and the memory that is open (`id`). */
export type MemorySearch = { [Name in (typeof TEXTS)[number]]?: string } & {
  visibility?: (typeof VISIBILITIES)[number];
};

/** Anyone can write a link, so anything that doesn't belong there is dropped. */
export function readMemorySearch(search: Record<string, unknown>): MemorySearch {
  const texts = TEXTS.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? [[name, value]] : [];
  });
  const visibility = VISIBILITIES.find((name) => name === search['visibility']);
  return { ...Object.fromEntries(texts), ...(visibility && { visibility }) };
}

export type SearchChanges = { [Name in keyof MemorySearch]: MemorySearch[Name] | undefined };

/** The search with these changes. Undefined removes a parameter. */
export function changeSearch(before: MemorySearch, changes: SearchChanges): MemorySearch {
  const all = Object.entries({ ...before, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}
