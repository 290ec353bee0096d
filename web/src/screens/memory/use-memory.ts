import { AtriumError, type Memory } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';

/** One memory by its id. Null if it was deleted or this person may not see it. */
export function useMemory(memoryId: string) {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: keys.memoryRecord(org.id, memoryId),
    queryFn: async ({ signal }): Promise<Memory | null> => {
      try {
        return await client.memory.get(memoryId, { signal });
      } catch (error) {
        if (error instanceof AtriumError && error.status === 404) return null;
        throw error;
      }
    },
    // Live hints say when it changes.
    staleTime: 5 * 60_000,
  });
}
