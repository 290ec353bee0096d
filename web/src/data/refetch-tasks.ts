import type { QueryClient } from '@tanstack/react-query';
import { keys } from './query-keys.ts';

/**
 * Refetches every list of a project's tasks, except while one is moved: the server still has the
 * old order then, and the move refetches when it ends. A move that ends is still counted.
 */
export async function refetchTasks(
  queryClient: QueryClient,
  orgId: string,
  projectId: string,
  endingMoves: 0 | 1 = 0,
): Promise<void> {
  const mutationKey = keys.taskMoves(orgId, projectId);
  if (queryClient.isMutating({ mutationKey }) > endingMoves) return;
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: keys.tasks(orgId, projectId) }),
    queryClient.invalidateQueries({ queryKey: keys.myTasks(orgId) }),
  ]);
}
