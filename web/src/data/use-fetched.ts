import { NotFoundError } from '@atrium/sdk';
import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import { useWorkspace, type Workspace } from './workspace.tsx';

type Fetch<Data> = (from: Workspace, options: { signal: AbortSignal }) => PromiseLike<Data>;
type Options<Data> = Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'>;

/** What the API returns, kept under a key of the current org. */
export function useFetched<Data>(
  key: (orgId: string) => QueryKey,
  fetch: Fetch<Data>,
  options: Options<Data> = {},
) {
  const workspace = useWorkspace();
  return useQuery({
    queryKey: key(workspace.org.id),
    queryFn: async ({ signal }) => fetch(workspace, { signal }),
    ...options,
  });
}

/** A list of the API that is fetched at once. */
export function useItems<Item>(
  key: (orgId: string) => QueryKey,
  list: Fetch<{ items: Item[] }>,
  options: Options<Item[]> = {},
) {
  return useFetched(key, async (from, request) => (await list(from, request)).items, options);
}

/** Null if there is no such thing, or this person may not see it. */
export async function orNull<Data>(fetch: () => PromiseLike<Data>): Promise<Data | null> {
  try {
    return await fetch();
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
