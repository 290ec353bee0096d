import type { Task } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { refetchTasks } from '../../../data/refetch-tasks.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { inWords } from '../../../ui/states/error-note.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { fieldErrors } from '../../../ui/forms/field-errors.ts';
import { newestIn, saveChanges } from '../changes/mutations.ts';
import { STATUS } from '../statuses.ts';
import { findStanding, moveInCache, type BoardKey } from './columns.ts';
import type { Move } from './use-drag.ts';
import { useUndo } from './use-undo.ts';

/** Shows a move at once, and takes it back: by itself if the server refuses it, saying why, or if the person wants to. */
export function useMove(board: BoardKey, onUndo: (move: Move) => void) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const { projectId } = board;
  const queryKey = keys.tasks(org.id, projectId);
  /** The versions of the person's own moves, which the cards may not show yet. */
  const saved = useRef(new Map<string, number>());
  const undo = useUndo(board, (move) => {
    mutation.mutate({ ...move, isUndo: true });
    onUndo(move);
  });
  const mutation = useMutation({
    mutationKey: keys.taskMoves(org.id, projectId),
    // One at a time: a move may refer to the one before it.
    scope: { id: `moves-${projectId}` },
    mutationFn: async ({ task, place }: Move & { isUndo?: boolean }) => {
      const version = Math.max(task.version, saved.current.get(task.id) ?? 0);
      return saveChanges(client, { ...task, version }, place);
    },
    async onMutate({ task, place }) {
      const cancelled = queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueriesData({ queryKey });
      const standing = findStanding(queryClient, board, task.id);
      // At once, because the next key press depends on it.
      moveInCache(queryClient, board, task, place);
      await cancelled;
      return { before, standing };
    },
    onSuccess({ id, version, status }, { isUndo }, { standing }) {
      saved.current.set(id, version);
      if (standing && !isUndo) undo.remember(standing, status);
    },
    onError(error, { task }, context) {
      for (const [key, data] of context?.before ?? []) queryClient.setQueryData(key, data);
      toast(whyNot(task, error), 'danger');
    },
    onSettled: () => void refetchTasks(queryClient, org.id, projectId, 1),
  });
  return mutation;
}

function whyNot({ number, status }: Task, error: unknown): string {
  const newest = newestIn(error);
  if (newest && newest.status !== status) {
    return `#${number} wasn’t moved: someone else moved it to ${STATUS[newest.status]} at the same time.`;
  }
  if (fieldErrors(error)['afterTaskId']) {
    return `#${number} wasn’t moved: the task above it was moved at the same time. Try again.`;
  }
  return `#${number} wasn’t moved. ${inWords(error)}`;
}
