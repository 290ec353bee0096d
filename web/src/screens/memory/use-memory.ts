import { keys } from '../../data/query-keys.ts';
import { orNull, useFetched } from '../../data/use-fetched.ts';

/** One memory by its id. Null if it was deleted or this person may not see it. */
export function useMemory(memoryId: string) {
  return useFetched(
    (orgId) => keys.memoryRecord(orgId, memoryId),
    ({ client }, options) => orNull(() => client.memory.get(memoryId, options)),
    // Live hints say when it changes.
    { staleTime: 5 * 60_000 },
  );
}
