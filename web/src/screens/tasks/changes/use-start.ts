import type { StartTask, Task } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refetchTasks } from '../../../data/refetch-tasks.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { rememberTask } from './mutations.ts';
import { isClosed } from '../task-words.ts';

/** Has an agent work on a task. Its reply is written in the task's discussion. */
export function useStart({ projectId, id }: Task) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (params: StartTask) => client.tasks.start(projectId, id, params),
    onSuccess: (started) => rememberTask(queryClient, org.id, started),
    onError: () => void refetchTasks(queryClient, org.id, projectId),
  });
}

/** The last run came to nothing, and the task is still to be done. */
export function isUnfinished(task: Task): boolean {
  return (task.run?.status === 'FAILED' || task.run?.status === 'STOPPED') && !isClosed(task);
}

/** Asks the agent of the last run again. */
export function sameAgent({ run }: Task): StartTask {
  // `model` is not a slug: whoever answers it is decided in the session.
  return run && run.agent !== 'model' ? { agent: run.agent } : {};
}
