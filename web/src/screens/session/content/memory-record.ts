import { AtriumError, type Memory } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { keys } from '../../../data/keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';

/** The memory; null where it was deleted, or is not for this person's eyes. */
export function useMemoryRecord(memoryId: string) {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: [...keys.memoryRecord(org.id, memoryId), 'or-gone'],
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
