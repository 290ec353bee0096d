import {
  type Atrium,
  AtriumError,
  type CreateTask,
  type StartTask,
  type Task,
  type UpdateTask,
} from '@atrium/sdk';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { refetchTasks } from '../../../data/refetch-tasks.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { toast, toastError, toastWithUndo } from '../../../ui/layers/toast.tsx';
import { STATUS } from '../statuses.ts';

export type TaskChanges = Omit<UpdateTask, 'version'>;

/** The current record, if the change was refused because it was based on an older one. */
export function newestIn(error: unknown): Task | undefined {
  if (!(error instanceof AtriumError) || error.reason !== 'version_conflict') return undefined;
  return error.details['task'] as Task;
}

/** Shows a task as the server returned it, and refetches the lists it may be in. */
function rememberTask(queryClient: QueryClient, orgId: string, task: Task): void {
  const key = keys.task(orgId, task.projectId, task.number);
  queryClient.setQueryData<Task | null>(key, (shown) =>
    shown && shown.version > task.version ? shown : task,
  );
  void refetchTasks(queryClient, orgId, task.projectId);
}

/**
 * Saves changes to a task as the person saw it (`base`). If it was changed meanwhile, but not in these fields,
 * nothing is lost and the change is sent again.
 */
export async function saveChanges(client: Atrium, base: Task, changes: TaskChanges): Promise<Task> {
  const send = async (version: number) =>
    client.tasks.update(base.projectId, base.id, { ...changes, version });
  return send(base.version).catch((error: unknown) => {
    const newest = newestIn(error);
    if (!newest || differs(base, newest, changes)) throw error;
    return send(newest.version);
  });
}

/** Returns a function that saves changes, shows the result, and throws if they can't be saved. */
export function useSaveTask(): (base: Task, changes: TaskChanges) => Promise<Task> {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  return async (base, changes) => {
    try {
      const saved = await saveChanges(client, base, changes);
      rememberTask(queryClient, org.id, saved);
      return saved;
    } catch (error) {
      const newest = newestIn(error);
      if (newest) rememberTask(queryClient, org.id, newest);
      throw error;
    }
  };
}

function differs(base: Task, newest: Task, changes: TaskChanges): boolean {
  return Object.keys(changes).some((name) => {
    const field = name as keyof Task;
    return JSON.stringify(base[field]) !== JSON.stringify(newest[field]);
  });
}

/** For a field that takes effect at once: the error is said in a toast. */
export function useChangeTask(task: Task) {
  const save = useSaveTask();
  // Whoever chooses twice in a row bases the second change on the first, even if the page doesn't show it yet.
  const saved = useRef(task);
  return useMutation({
    scope: { id: `task-${task.id}` },
    mutationFn: async (changes: TaskChanges) => {
      const base = saved.current.version > task.version ? saved.current : task;
      saved.current = await save(base, changes);
      return saved.current;
    },
    onError(error) {
      const newest = newestIn(error);
      if (newest) toast(staleWords(newest), 'danger');
      else toastError(error);
    },
  });
}

function staleWords({ number, status }: Task): string {
  return `Someone changed #${number} at the same time. It now shows the newest version (${STATUS[status]}). Change it again if you still want to.`;
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
