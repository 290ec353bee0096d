/** What an address holds after its `?`. Anyone can write a link, so anything that doesn't belong there is dropped. */
export function readTexts<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): { [Key in Name]?: string } {
  const texts = names.flatMap((name) => {
    const value = search[name];
    // The router reads a text of digits as a number.
    const text = typeof value === 'number' ? String(value) : value;
    return typeof text === 'string' && text !== '' ? [[name, text]] : [];
  });
  return Object.fromEntries(texts) as { [Key in Name]?: string };
}

export type SearchChanges<Search> = { [Name in keyof Search]: Search[Name] | undefined };

/** The search with these changes. Undefined removes a parameter. */
export function changeSearch<Search extends object>(
  before: Search,
  changes: SearchChanges<Search>,
): Search {
  const all = Object.entries({ ...before, ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Search;
}
