import type { Agent } from '@atrium/sdk';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { toast, toastError, toastWithUndo } from '../../../ui/layers/toast.tsx';

/** Owners, admins, and its creator if it doesn't answer in every project. */
export function useCanChange(agent: Agent): boolean {
  const { profile, isAdmin } = useWorkspace();
  return isAdmin || (agent.createdById === profile.userId && agent.projectIds.length > 0);
}

export function useArchiveAgent({ id, slug }: Agent) {
  const restore = useChange({
    send: ({ client }) => client.agents.restore(id),
    refetch: keys.agents,
    onDone: ({ isEnabled }) =>
      toast(isEnabled ? `@${slug} answers again` : `@${slug} restored. It is still disabled.`),
    onError: toastError,
  });
  const archive = useChange({
    send: ({ client }) => client.agents.archive(id),
    refetch: keys.agents,
    // Its card is gone by then. The mutation still runs, and says itself if it failed.
    onDone: () => toastWithUndo(`@${slug} archived`, async () => restore.mutate()),
  });
  return { archive, restore };
}
