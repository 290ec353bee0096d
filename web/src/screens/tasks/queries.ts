import type { ListTasksParams, Task } from '@atrium/sdk';
import {
  keepPreviousData,
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { keys } from '../../data/query-keys.ts';
import { useFetched, useItems } from '../../data/use-fetched.ts';
import { useWorkspace } from '../../data/workspace.tsx';

const PAGE = 50;

/** Pages of tasks: of one project, or without an id of all of them. */
export function useTaskPages(projectId: string | undefined, params: ListTasksParams) {
  const { client, org } = useWorkspace();
  const key = projectId ? keys.tasks(org.id, projectId) : keys.myTasks(org.id);
  const { data, ...query } = useInfiniteQuery({
    queryKey: [...key, 'pages', params],
    queryFn: async ({ pageParam, signal }) => {
      const page = { ...params, limit: PAGE, page: pageParam };
      const { items, total = 0 } = projectId
        ? await client.tasks.list(projectId, page, { signal })
        : await client.tasks.listAll(page, { signal });
      return { items, total };
    },
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * PAGE < total ? pages.length + 1 : null),
    placeholderData: keepPreviousData,
  });
  // A task that moved between two page requests would be listed twice.
  const tasks = data && [
    ...new Map(data.pages.flatMap(({ items }) => items.map((task) => [task.id, task]))).values(),
  ];
  return { ...query, tasks, total: data?.pages.at(-1)?.total ?? 0 };
}

/**
 * The task with a number from the address, archived or not. Null if there is none. Whoever comes from a list sees
 * at once what that list had.
 */
export function useTask(projectId: string, number: number) {
  const { org } = useWorkspace();
  const queryClient = useQueryClient();
  return useFetched(
    (orgId) => keys.task(orgId, projectId, number),
    async ({ client }, options): Promise<Task | null> => {
      // An address may contain anything. The API takes nine digits.
      if (!/^[1-9]\d{0,8}$/.test(String(number))) return null;
      const find = async (archived: boolean) => {
        const params = { number, archived, limit: 1 };
        return (await client.tasks.list(projectId, params, options)).items[0];
      };
      return (await find(false)) ?? (await find(true)) ?? null;
    },
    { placeholderData: () => findListed(queryClient, org.id, projectId, number) },
  );
}

function findListed(
  queryClient: QueryClient,
  orgId: string,
  projectId: string,
  number: number,
): Task | undefined {
  return [keys.tasks(orgId, projectId), keys.myTasks(orgId)]
    .flatMap((key) =>
      queryClient.getQueriesData<InfiniteData<{ items: Task[] }>>({ queryKey: [...key, 'pages'] }),
    )
    .flatMap(([, data]) => data?.pages.flatMap(({ items }) => items) ?? [])
    .find((task) => task.projectId === projectId && task.number === number);
}

export function useSubtasks({ projectId, id }: Task) {
  const params = { parentTaskId: id, limit: 100 };
  return useItems(
    (orgId) => [...keys.tasks(orgId, projectId), 'subtasks', id],
    ({ client }, options) => client.tasks.list(projectId, params, options),
  );
}
