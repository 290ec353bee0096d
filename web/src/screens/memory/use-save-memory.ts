import type { Memory } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import type { WholeValues } from './memory-values.ts';

/** Creates a memory, or updates the given one. */
export function useSaveMemory(memory: Memory | undefined) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const keyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: async (values: WholeValues): Promise<Memory> => {
      const fields = {
        content: values.content,
        visibility: values.visibility,
        projectId: values.projectId || null,
        tags: values.tags,
        sourceUrl: values.sourceUrl.trim() || null,
      };
      if (memory) return client.memory.update(memory.id, fields);
      return client.memory.create(fields, { idempotencyKey: keyFor(JSON.stringify(fields)) });
    },
    onSuccess(saved) {
      queryClient.setQueryData(keys.memoryRecord(org.id, saved.id), saved);
      return queryClient.invalidateQueries({ queryKey: keys.memory(org.id) });
    },
  });
}

/** The same key for the same body, so that a retry after a lost response doesn't create a second memory. */
function useIdempotencyKey(): (body: string) => string {
  const last = useRef({ body: '', key: '' });
  return (body) => {
    if (last.current.body !== body) {
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      last.current = { body, key: Array.from(bytes, (byte) => byte.toString(16)).join('-') };
    }
    return last.current.key;
  };
}
