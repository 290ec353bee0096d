import type { Project, Session } from '@atrium/sdk';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { useHints, type Hint } from '../../data/live.ts';
import { useProjects } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';

/** So many Projects have their sessions loaded at once; others when something happens in them. */
const WATCHED = 24;

export interface ProjectSessions {
  project: Project;
  /** The most recent first; undefined while they are not loaded. */
  sessions: Session[] | undefined;
  isLoading: boolean;
  unread: number;
}

/** All Projects with their active sessions, as the sidebar, the first page and the palette show them. */
export function useAllSessions(): ProjectSessions[] | undefined {
  const { client, org } = useWorkspace();
  const { data: projects } = useProjects();
  const stirred = useStirredProjects();
  const watched = useMemo(
    () => (projects ?? []).filter(({ id }, at) => at < WATCHED || stirred.has(id)),
    [projects, stirred],
  );
  const loaded = useQueries({
    // The same as useSessions asks for, so that both share one answer.
    queries: watched.map(({ slug }) => ({
      queryKey: [...keys.sessions(org.id, slug), 'ACTIVE'],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await client.sessions.list(slug, { limit: 100, status: 'ACTIVE' }, { signal })).items,
    })),
    combine: collectData,
  });
  return useMemo(() => {
    const bySlug = new Map(watched.map(({ slug }, at) => [slug, loaded[at]]));
    return projects?.map((project) => {
      const { data: sessions, isPending: isLoading = false } = bySlug.get(project.slug) ?? {};
      return { project, sessions, isLoading, unread: sumUnread(sessions ?? []) };
    });
  }, [projects, watched, loaded]);
}

export function sumUnread(items: readonly { unreadCount: number }[]): number {
  return items.reduce((sum, { unreadCount }) => sum + unreadCount, 0);
}

/** What people call a session: its title once it has one. */
export function nameSession({ title, name }: Pick<Session, 'title' | 'name'>): string {
  return title ?? name;
}

type Loaded = Pick<UseQueryResult<Session[]>, 'data' | 'isPending'>;

function collectData(results: UseQueryResult<Session[]>[]): Loaded[] {
  return results.map(({ data, isPending }) => ({ data, isPending }));
}

function useStirredProjects(): ReadonlySet<string> {
  const [stirred, setStirred] = useState<ReadonlySet<string>>(new Set());
  useHints(
    useCallback((hint: Hint) => {
      const projectId = 'projectId' in hint ? hint.projectId : undefined;
      if (!projectId) return;
      setStirred((before) => (before.has(projectId) ? before : new Set([...before, projectId])));
    }, []),
  );
  return stirred;
}
