import type { File as StoredFile, Page } from '@atrium/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import type { ProjectFilesSearch } from './search-params.ts';

const PAGE_SIZE = 50;
const CHECKED_EVERY_MS = 3_000;

/** The files with this name and of this type, newest first, page by page. */
export function useProjectFiles(projectId: string, { q, type }: ProjectFilesSearch) {
  const { client, org } = useWorkspace();
  return useInfiniteQuery({
    queryKey: [...keys.projectFiles(org.id, projectId), { q, type }],
    queryFn: async ({ signal, pageParam }): Promise<Page<StoredFile>> => {
      const next = await pageParam?.nextPage();
      const filter = { ...(q !== undefined && { query: q }), ...(type && { type }) };
      return next ?? client.files.list(projectId, { ...filter, limit: PAGE_SIZE }, { signal });
    },
    initialPageParam: undefined as Page<StoredFile> | undefined,
    getNextPageParam: (last) => (last.hasNextPage ? last : undefined),
    // What is still being uploaded is shown where that happens.
    select: ({ pages }) =>
      pages.flatMap(({ items }) => items).filter(({ status }) => status !== 'UPLOADING'),
    // Those of another filter stay until the first response, so that nothing jumps while someone types.
    placeholderData: (shown, from) => (from?.queryKey[2] === projectId ? shown : undefined),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(({ status }) => status === 'CHECKING'))
        ? CHECKED_EVERY_MS
        : false,
  });
}
