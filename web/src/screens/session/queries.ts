import { AtriumError, type Session, type UpdateSession } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { keys } from '../../data/query-keys.ts';
import { rememberSession } from '../../data/following.ts';
import { useProject } from '../../data/queries.ts';
import { useFetched } from '../../data/use-fetched.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useSession } from './session-context.ts';

/** The session as it was when opened. Always fetched first, because the unread count must be exact. */
export function useOpenedSession(slug: string, sessionId: string) {
  const query = useFetched(
    (orgId) => keys.session(orgId, sessionId),
    ({ client }, options) => client.sessions.get(slug, sessionId, options),
    { refetchOnMount: 'always' },
  );
  const isFresh = query.isFetchedAfterMount || query.isPaused;
  if (!isFresh) return { ...query, data: undefined, error: null };
  // Whoever was taken out while reading must not go on reading what is cached.
  const isLost = query.error instanceof AtriumError && [403, 404].includes(query.error.status ?? 0);
  return isLost ? { ...query, data: undefined } : query;
}

/** A session's project, even an archived one, which the list of projects leaves out. */
export function useProjectOf(slug: string, session: Session) {
  const { project } = useProject(slug);
  const { data: archived } = useFetched(
    (orgId) => keys.project(orgId, slug),
    ({ client }, options) => client.projects.get(session.projectId, options),
    { enabled: project === null && session.kind === 'PROJECT' },
  );
  return project ?? archived;
}

export function useUpdateSession() {
  const { client } = useWorkspace();
  const { slug, session } = useSession();
  return useMutation({
    mutationFn: async (changes: UpdateSession) => client.sessions.update(slug, session.id, changes),
    onSuccess: useRememberSession(),
  });
}

/** Puts a session that the server returned into every cached list. */
export function useRememberSession(): (session: Session) => void {
  const { slug } = useSession();
  const { org } = useWorkspace();
  const queryClient = useQueryClient();
  return useCallback(
    (session) => rememberSession(queryClient, org.id, slug, session),
    [queryClient, org.id, slug],
  );
}
