import type { Task } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { refetchTasks } from '../../../data/refetch-tasks.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { inWords } from '../../../ui/states/error-note.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { fieldErrors } from '../../../ui/forms/field-errors.ts';
import { newestIn } from '../changes/save-task.ts';
import { STATUS } from '../task-words.ts';
import { moveInCache, type Place } from './columns.ts';

interface Move {
  task: Task;
  place: Place;
}

/** Shows a move at once. If the server refuses it, the task snaps back and a toast says why. */
export function useMove(projectId: string) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const queryKey = keys.tasks(org.id, projectId);
  /** The versions of the person's own moves, which the cards may not show yet. */
  const saved = useRef(new Map<string, number>());
  return useMutation({
    mutationKey: keys.taskMoves(org.id, projectId),
    // One at a time: a move may refer to the one before it.
    scope: { id: `moves-${projectId}` },
    mutationFn: async ({ task, place: { status, afterTaskId } }: Move) =>
      client.tasks.update(projectId, task.id, {
        status,
        afterTaskId,
        version: Math.max(task.version, saved.current.get(task.id) ?? 0),
      }),
    async onMutate({ task, place }) {
      const cancelled = queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueriesData({ queryKey });
      // At once, because the next key press depends on it.
      moveInCache(queryClient, org.id, task, place);
      await cancelled;
      return { before };
    },
    onSuccess: ({ id, version }) => void saved.current.set(id, version),
    onError(error, { task }, context) {
      for (const [key, data] of context?.before ?? []) queryClient.setQueryData(key, data);
      toast(whyNot(task, error), 'danger');
    },
    onSettled: () => void refetchTasks(queryClient, org.id, projectId, 1),
  });
}

function whyNot({ number, status }: Task, error: unknown): string {
  const newest = newestIn(error);
  if (newest && newest.status !== status) {
    return `#${number} wasn’t moved: someone else moved it to ${STATUS[newest.status]} at the same time.`;
  }
  if (newest)
    return `#${number} wasn’t moved: someone else changed it at the same time. Try again.`;
  if (fieldErrors(error)['afterTaskId']) {
    return `#${number} wasn’t moved: the task above it was moved at the same time. Try again.`;
  }
  return `#${number} wasn’t moved. ${inWords(error)}`;
}
