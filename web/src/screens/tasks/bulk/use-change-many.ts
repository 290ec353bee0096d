import type { Atrium, Task, UpdatedTaskList } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refetchTasks } from '../../../data/refetch-tasks.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { toast, toastError, toastWithUndo } from '../../../ui/layers/toast.tsx';
import { toUndo, withoutPlace, type Change, type Changed } from './undo-many.ts';

/** What the API takes at once. */
const MOST = 100;
/** One note about changes at a time: its button takes back the last one. */
const ABOUT = 'many-tasks';

type Item = UpdatedTaskList['items'][number];

interface ManyChanges {
  tasks: readonly Task[];
  /** What changes in each. */
  change: (task: Task) => Omit<Change, 'taskId'>;
  /** What was done, after the number of tasks: "moved to Done". */
  done: string;
}

/**
 * Changes many tasks, says which could not be changed and why, and offers to take all of it back. `onUndoable`
 * is given what takes it back.
 */
export function useChangeMany(onUndoable: (undo: () => Promise<void>) => void) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const refetch = async (tasks: readonly Task[]) => {
    const projectIds = new Set(tasks.map(({ projectId }) => projectId));
    await Promise.all([...projectIds].map((id) => refetchTasks(queryClient, org.id, id)));
  };

  async function undo(changed: readonly Changed[]) {
    const items = await sendByProject(client, changed, (some) => toUndo(some), true);
    await refetch(changed.map(({ before }) => before));
    const refused = items.filter(({ error }) => error !== null);
    if (refused.length === 0) return toast(`${count(items.length)} changed back`, 'plain', ABOUT);
    const all = `${refused.length} of ${count(items.length)}`;
    return toast(
      `${all} weren’t changed back: ${refused[0]?.error?.message ?? ''}`,
      'danger',
      ABOUT,
    );
  }

  return useMutation({
    mutationFn: async ({ tasks, change }: ManyChanges) => {
      const items = await sendByProject(
        client,
        tasks.map((before) => ({ before })),
        (some) => some.map(({ before }) => ({ taskId: before.id, ...change(before) })),
      );
      return { items, tasks };
    },
    onSuccess({ items, tasks }, { done }) {
      const before = new Map(tasks.map((task) => [task.id, task]));
      const changed = items.flatMap(({ taskId, task, wasAfterTaskId }): Changed[] => {
        const was = before.get(taskId);
        return task && was ? [{ before: was, after: task, wasAfterTaskId }] : [];
      });
      sayRefused(items, before);
      if (changed.length === 0) return;
      const takeBack = () => undo(changed);
      onUndoable(takeBack);
      toastWithUndo(`${count(changed.length)} ${done}`, takeBack, ABOUT);
    },
    onError: toastError,
    onSettled: (_, __, { tasks }) => void refetch(tasks),
  });
}

function count(number: number): string {
  return number === 1 ? '1 task' : `${number} tasks`;
}

function sayRefused(items: readonly Item[], before: ReadonlyMap<string, Task>): void {
  const refused = items.filter(({ error }) => error !== null);
  const [first] = refused;
  if (!first) return;
  const number = before.get(first.taskId)?.number;
  const all = items.length === 1 ? '' : `${refused.length} of ${count(items.length)} not changed. `;
  toast(`${all}#${number}: ${first.error?.message}`, 'danger', `${ABOUT}-refused`);
}

/** One request for each project, and for each hundred of its tasks. */
async function sendByProject<One extends { before: Task }>(
  client: Atrium,
  all: readonly One[],
  changesOf: (some: readonly One[]) => Change[],
  isUndo = false,
): Promise<Item[]> {
  const items: Item[] = [];
  for (const [projectId, ofProject] of Map.groupBy(all, ({ before }) => before.projectId)) {
    const changes = changesOf(ofProject);
    for (let from = 0; from < changes.length; from += MOST) {
      const some = changes.slice(from, from + MOST);
      items.push(...(await sendOnce(client, projectId, some, isUndo)));
    }
  }
  return items;
}

/** Where the task above is gone, a task that is taken back is the last of its column. */
async function sendOnce(
  client: Atrium,
  projectId: string,
  changes: Change[],
  isUndo: boolean,
): Promise<Item[]> {
  const { items } = await client.tasks.updateMany(projectId, { changes });
  const misplaced = changes.filter(
    ({ taskId, afterTaskId }) =>
      afterTaskId !== undefined &&
      items.find((item) => item.taskId === taskId)?.error?.code === 'VALIDATION_ERROR',
  );
  if (!isUndo || misplaced.length === 0) return items;
  const again = misplaced.map(withoutPlace);
  const retried = (await client.tasks.updateMany(projectId, { changes: again })).items;
  const isAgain = new Set(misplaced.map(({ taskId }) => taskId));
  return [...items.filter(({ taskId }) => !isAgain.has(taskId)), ...retried];
}
