import type { Task } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refetchTasks } from '../../../data/refetch-tasks.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { toast } from '../../../ui/layers/toast.tsx';

/** Decides on at most 100 at once, which is what the API takes. */
const MOST = 100;

/** Accepts or declines proposed tasks, and says what came of it. */
export function useDecide(projectId: string) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ kind, ids }: { kind: 'accept' | 'decline'; ids: string[] }) => {
      const decided: Task[] = [];
      for (let from = 0; from < ids.length; from += MOST) {
        const some = ids.slice(from, from + MOST);
        decided.push(...(await client.tasks.decide(projectId, { [kind]: some })).items);
      }
      return decided;
    },
    onSuccess(decided, { kind }) {
      const wanted = kind === 'accept' ? 'TODO' : 'CANCELLED';
      const count = decided.filter(({ status }) => status === wanted).length;
      const words = `${count === 1 ? '1 task' : `${count} tasks`} ${kind === 'accept' ? 'accepted' : 'declined'}`;
      const late = decided.length - count;
      toast(late > 0 ? `${words}. Someone else had already decided on ${late}.` : words);
    },
    onSettled: () => void refetchTasks(queryClient, org.id, projectId),
  });
}
