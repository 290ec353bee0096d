import { AtriumError, type Session, type SessionDetails, type UpdateSession } from '@atrium/sdk';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { keys } from '../../data/query-keys.ts';
import { useProject, type Overview } from '../../data/queries.ts';
import { useFetched } from '../../data/use-fetched.ts';
import { useWorkspace } from '../../data/workspace.tsx';

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
    { enabled: project === null },
  );
  return project ?? archived;
}

export function useUpdateSession(slug: string, session: Session) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (changes: UpdateSession) => client.sessions.update(slug, session.id, changes),
    onSuccess: (changed) => rememberSession(queryClient, org.id, slug, changed),
  });
}

/** Puts a session that the server returned into every cached list. */
export function rememberSession(
  queryClient: QueryClient,
  orgId: string,
  slug: string,
  session: Session,
): void {
  queryClient.setQueryData<SessionDetails>(
    keys.session(orgId, session.id),
    (opened) => opened && { ...opened, ...session },
  );
  const replace = (list: Session[]) => list.map((old) => (old.id === session.id ? session : old));
  queryClient.setQueryData<Overview>(keys.overview(orgId), (overview) => {
    const before = overview?.sessions.find(({ id }) => id === session.id);
    return (
      before && {
        sessions: replace(overview?.sessions ?? []),
        unreadTotal: (overview?.unreadTotal ?? 0) - before.unreadCount + session.unreadCount,
      }
    );
  });
  queryClient.setQueriesData<Session[]>({ queryKey: keys.sessions(orgId, slug) }, (list) =>
    Array.isArray(list) ? replace(list) : list,
  );
}
