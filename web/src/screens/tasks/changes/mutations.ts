import type { CreateTask, Task } from '@atrium/sdk';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { keys } from '../../../data/query-keys.ts';
import { refetchTasks } from '../../../data/refetch-tasks.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { toast, toastError, toastWithUndo } from '../../../ui/layers/toast.tsx';
import { newestIn, saveTask, type TaskChanges } from './save-task.ts';
import { STATUS } from '../task-words.ts';

/** Shows a task as the server returned it, and refetches the lists it may be in. */
export function rememberTask(queryClient: QueryClient, orgId: string, task: Task): void {
  const key = keys.task(orgId, task.projectId, task.number);
  queryClient.setQueryData<Task | null>(key, (shown) =>
    shown && shown.version > task.version ? shown : task,
  );
  void refetchTasks(queryClient, orgId, task.projectId);
}

/** Returns a function that saves changes to a task as the person saw it, and throws if it can't. */
export function useSaveTask(): (base: Task, changes: TaskChanges) => Promise<Task> {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  return async (base, changes) => {
    try {
      const saved = await saveTask(client, base, changes);
      rememberTask(queryClient, org.id, saved);
      return saved;
    } catch (error) {
      const newest = newestIn(error);
      if (newest) rememberTask(queryClient, org.id, newest);
      throw error;
    }
  };
}

/** For a field that takes effect at once: the error is said in a toast. */
export function useChangeTask(task: Task) {
  const save = useSaveTask();
  return useMutation({
    scope: { id: `task-${task.id}` },
    mutationFn: (changes: TaskChanges) => save(task, changes),
    onError(error) {
      if (newestIn(error)) toast(staleWords(newestIn(error)), 'danger');
      else toastError(error);
    },
  });
}

function staleWords(newest: Task | undefined): string {
  return newest
    ? `Someone changed #${newest.number} at the same time. It now shows the newest version (${STATUS[newest.status]}). Change it again if you still want to.`
    : '';
}

export interface NewTasks extends Omit<CreateTask, 'title'> {
  projectId: string;
  titles: string[];
}

/** One after the other, so that their numbers and places follow the lines. */
export function useCreateTasks(onCreated: (task: Task) => void) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ projectId, titles, ...fields }: NewTasks) => {
      const created: Task[] = [];
      for (const title of titles) {
        const task = await client.tasks.create(projectId, { ...fields, title });
        created.push(task);
        onCreated(task);
      }
      return created;
    },
    onSettled: (_, __, { projectId }) => void refetchTasks(queryClient, org.id, projectId),
  });
}

export function useArchiveTask(task: Task) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const restore = useMutation({
    mutationFn: async () => client.tasks.restore(task.projectId, task.id),
    onSuccess: (restored) => rememberTask(queryClient, org.id, restored),
    onError: toastError,
  });
  const archive = useMutation({
    mutationFn: async () => client.tasks.archive(task.projectId, task.id),
    onSuccess() {
      void refetchTasks(queryClient, org.id, task.projectId);
      toastWithUndo(`#${task.number} archived`, () => restore.mutateAsync());
    },
    onError: toastError,
  });
  return { archive, restore };
}
