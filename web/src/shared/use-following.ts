import type { Session } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { rememberSession } from '../data/following.ts';
import { keys } from '../data/query-keys.ts';
import { useWorkspace } from '../data/workspace.tsx';
import { toast, toastError } from '../ui/layers/toast.tsx';

interface Choice {
  session: Session;
  /** Null: to leave it. */
  follow: { level?: Session['level'] } | null;
}

/** Follows a session, leaves it, or chooses what to be told about. */
export function useFollowing(slug: string) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ session, follow }: Choice): Promise<Session> => {
      if (follow) return client.sessions.follow(slug, session.id, follow);
      await client.sessions.leave(slug, session.id);
      return { ...session, isFollowed: false, unreadCount: 0 };
    },
    onSuccess(changed, { follow }) {
      rememberSession(queryClient, org.id, slug, changed);
      void queryClient.invalidateQueries({ queryKey: keys.sessions(org.id, slug) });
      toast(follow ? TOLD[changed.level] : 'You left. Writing or being mentioned brings you back.');
    },
    onError: toastError,
  });
}

const TOLD: Record<Session['level'], string> = {
  ALL: 'You follow this session',
  MENTIONS: 'Only mentions and replies to you will notify you',
  NONE: 'Nothing will notify you. Mentions wait in your inbox.',
};
