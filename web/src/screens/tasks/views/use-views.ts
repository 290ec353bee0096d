import type { CreateTaskView, TaskView, UpdateTaskView } from '@atrium/sdk';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { useItems } from '../../../data/use-fetched.ts';
import { toastError } from '../../../ui/layers/toast.tsx';

/** The person's views of one project, or those of all, in their order. */
export function useViews(projectId: string | null): TaskView[] {
  const { data = [] } = useItems(keys.taskViews, ({ client }, options) =>
    client.tasks.listViews(options),
  );
  return data.filter((view) => view.projectId === projectId);
}

export function useSaveView(onDone: (view: TaskView) => void) {
  return useChange({
    send: async ({ client }, params: CreateTaskView) => client.tasks.createView(params),
    refetch: keys.taskViews,
    onDone,
  });
}

export function useUpdateView(onDone?: (view: TaskView) => void) {
  return useChange({
    send: async ({ client }, { id, ...params }: UpdateTaskView & { id: string }) =>
      client.tasks.updateView(id, params),
    refetch: keys.taskViews,
    ...(onDone ? { onDone } : { onError: toastError }),
  });
}

export function useDeleteView(onDone: () => void) {
  return useChange({
    send: async ({ client }, id: string) => client.tasks.deleteView(id),
    refetch: keys.taskViews,
    onDone,
    onError: toastError,
  });
}
