import type { Task } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refetchTasks } from '../data/refetch-tasks.ts';
import { useWorkspace } from '../data/workspace.tsx';
import { Button } from '../ui/controls/button.tsx';
import { toast, toastWithUndo } from '../ui/layers/toast.tsx';

/** Decides on at most 100 at once, which is what the API takes. */
const MOST = 100;

/** Accepts or declines proposed tasks, and says what came of it. */
export function useDecide(projectId: string) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  /** They are proposals again, unless somebody has changed them since. */
  async function undo(decided: Task[]) {
    for (let from = 0; from < decided.length; from += MOST) {
      const changes = decided.slice(from, from + MOST).map(({ id, version }) => ({
        taskId: id,
        version,
        status: 'PROPOSED' as const,
      }));
      const { items } = await client.tasks.updateMany(projectId, { changes });
      const refused = items.find(({ error }) => error !== null)?.error;
      if (refused) toast(refused.message, 'danger');
    }
    await refetchTasks(queryClient, org.id, projectId);
  }
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
      const said = late > 0 ? `${words}. Someone else had already decided on ${late}.` : words;
      toastWithUndo(said, () => undo(decided.filter(({ status }) => status === wanted)));
    },
    onSettled: () => void refetchTasks(queryClient, org.id, projectId),
  });
}

interface DecideButtonsProps {
  decide: ReturnType<typeof useDecide>;
  ids: string[];
  onDecided?: () => void;
}

export function DecideButtons({ decide, ids, onDecided }: DecideButtonsProps) {
  const what = ids.length > 1 ? `${ids.length} tasks` : 'task';
  // Together, so that they never stand on two lines.
  const buttons = (['accept', 'decline'] as const).map((kind) => (
    <Button
      key={kind}
      size="small"
      look={kind === 'accept' ? 'primary' : 'plain'}
      disabled={ids.length === 0}
      isBusy={decide.isPending && decide.variables.kind === kind}
      onClick={() => decide.mutate({ kind, ids }, { onSuccess: () => onDecided?.() })}
    >
      {kind === 'accept' ? 'Accept' : 'Decline'} {what}
    </Button>
  ));
  return <div className="flex gap-2">{buttons}</div>;
}
