import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { DIRECT_SLUG, isDirect } from './direct.ts';
import { rememberSession } from './following.ts';
import type { Overview } from './queries.ts';
import { keys } from './query-keys.ts';
import { useWorkspace } from './workspace.tsx';

/**
 * Opens the conversation of the person and these others, and makes it if they have none. One that is known is opened
 * at once. Rejects if the server refuses.
 */
export function useOpenDirect(): (userIds: readonly string[]) => Promise<void> {
  const { client, org, profile } = useWorkspace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return useCallback(
    async (userIds) => {
      const people = new Set([...userIds, profile.userId]);
      const overview = queryClient.getQueryData<Overview>(keys.overview(org.id));
      const known = overview?.sessions.find(
        (session) =>
          isDirect(session) &&
          people.symmetricDifference(new Set(session.participantUserIds)).size === 0,
      );
      const session = known ?? (await client.sessions.openDirect({ userIds: [...userIds] }));
      if (!known) rememberSession(queryClient, org.id, DIRECT_SLUG, session);
      const params = { slug: DIRECT_SLUG, sessionId: session.id };
      await navigate({ to: '/p/$slug/s/$sessionId', params });
    },
    [client, org.id, profile.userId, queryClient, navigate],
  );
}
