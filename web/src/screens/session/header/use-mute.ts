import type { Session } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useWorkspace } from '../../../data/workspace.tsx';
import { toast, toastError } from '../../../ui/layers/toast.tsx';
import { rememberSession } from '../queries.ts';

/** A muted session puts nothing into the person's inbox. */
export function useMute(slug: string, session: Session): (muted: boolean) => void {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: async (muted: boolean) => client.sessions.mute(slug, session.id, { muted }),
    onSuccess(changed) {
      rememberSession(queryClient, org.id, slug, changed);
      toast(
        changed.muted
          ? 'Session muted. It won’t notify you, not even of mentions.'
          : 'Session unmuted',
      );
    },
    onError: toastError,
  });
  return mutate;
}
