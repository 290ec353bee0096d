import { useQueryClient } from '@tanstack/react-query';
import { keys } from '../../../data/query-keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { toast, toastError, toastWithUndo } from '../../../ui/layers/toast.tsx';
import { useSession } from '../session-context.ts';

/** Archives a session, which can be undone at once or later, and restores it. */
export function useArchive() {
  const { slug, session } = useSession();
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const reload = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: keys.session(org.id, session.id) }),
      queryClient.invalidateQueries({ queryKey: keys.sessions(org.id, slug) }),
    ]);
  async function restore() {
    await client.sessions.restore(slug, session.id);
    toast('Session restored');
    await reload();
  }
  async function archive() {
    await client.sessions.archive(slug, session.id);
    toastWithUndo('Session archived', restore);
    await reload();
  }
  return {
    archive: () => void archive().catch(toastError),
    restore: () => void restore().catch(toastError),
  };
}
