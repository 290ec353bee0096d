import type { Memory, MemoryMatch, MemoryMatches } from '@atrium/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import type { MemorySearch } from './search-params.ts';
import { dayEnd, dayStart } from '../../ui/text/days.ts';

export type MemoryResult = Memory & Partial<Pick<MemoryMatch, 'score' | 'scores'>>;

/** The search results, best first, or without a query the newest memories. */
export function useMemories(search: MemorySearch) {
  const isSearch = (search.q ?? '').trim() !== '';
  const found = useFoundMemories(search, isSearch);
  const newest = useNewestMemories(search, !isSearch);
  // Newest memories that are on the page stay until the first response, so that nothing jumps while someone types.
  const { items, isPending } = isSearch && found.data ? found : newest;
  return { ...(isSearch ? found : newest), isSearch, items, isPending };
}

const FIRST_MATCHES = 20;
const MOST_MATCHES = 100;

function useFoundMemories(search: MemorySearch, isEnabled: boolean) {
  const { client, org } = useWorkspace();
  const query = (search.q ?? '').trim();
  // A new query starts with few results again.
  const [longFor, setLongFor] = useState<string>();
  const limit = longFor === query ? MOST_MATCHES : FIRST_MATCHES;
  const params = {
    query,
    limit,
    visibility: search.visibility ?? null,
    projectId: search.project ?? null,
    tags: search.tag ? [search.tag] : null,
    createdAfter: dayStart(search.after) ?? null,
    createdBefore: dayEnd(search.before) ?? null,
  };
  const found = useQuery({
    queryKey: [...keys.memory(org.id), 'search', params],
    queryFn: async ({ signal }): Promise<MemoryMatches> => client.memory.search(params, { signal }),
    enabled: isEnabled,
    placeholderData: (before, from) => (from?.queryKey[0] === org.id ? before : undefined),
  });
  const items: MemoryResult[] = found.data?.items ?? [];
  return {
    ...found,
    items,
    isStale: found.data === undefined || found.isPlaceholderData,
    isDegraded: found.data?.degraded === true,
    hasNextPage: limit < MOST_MATCHES && items.length === limit,
    isFetchingNextPage: false,
    fetchNextPage: async () => setLongFor(query),
  };
}

const PAGE_SIZE = 20;
/** How many pages one request reads to find memories of the chosen days: the list can't filter by date. */
const MOST_PAGES = 10;

function useNewestMemories(search: MemorySearch, isEnabled: boolean) {
  const { client, org } = useWorkspace();
  const { visibility, project, tag, after, before } = search;
  const newest = useInfiniteQuery({
    queryKey: [...keys.memory(org.id), 'newest', { visibility, project, tag, after, before }],
    queryFn: async ({ signal, pageParam }) => {
      const isDated = after !== undefined || before !== undefined;
      const filter = {
        ...(visibility && { visibility }),
        ...(project && { projectId: project }),
        ...(tag && { tag }),
      };
      const from = dayStart(after) ?? '';
      const to = dayEnd(before) ?? '9999';
      const items: Memory[] = [];
      let next: string | null = pageParam;
      for (let pages = 0; pages < MOST_PAGES; pages += 1) {
        const limit = isDated ? 100 : PAGE_SIZE;
        const page = await client.memory.list(
          { ...filter, limit, ...(next && { before: next }) },
          { signal },
        );
        items.push(...page.items.filter(({ createdAt }) => createdAt >= from && createdAt < to));
        const last = page.items.at(-1);
        next = page.hasNextPage && last && last.createdAt >= from ? last.id : null;
        if (next === null || !isDated || items.length >= PAGE_SIZE) break;
      }
      return { items, next };
    },
    enabled: isEnabled,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }): MemoryResult[] => pages.flatMap(({ items }) => items),
    placeholderData: (shown, from) => (from?.queryKey[0] === org.id ? shown : undefined),
  });
  const items = newest.data ?? [];
  return { ...newest, items, isStale: newest.isPlaceholderData, isDegraded: false };
}
