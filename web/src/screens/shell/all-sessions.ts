import type { Project, Session } from '@atrium/sdk';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { useHints, type Hint } from '../../data/live.ts';
import { useProjects } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';

/** Sessions of this many projects are loaded at once, those of others when something happens in them. */
const WATCHED = 24;

export interface ProjectSessions {
  project: Project;
  /** Most recent first. Undefined until loaded. */
  sessions: Session[] | undefined;
  isLoading: boolean;
  unread: number;
}

/** All projects with their active sessions, for the sidebar, the home page and the palette. */
export function useAllSessions(): ProjectSessions[] | undefined {
  const { client, org } = useWorkspace();
  const { data: projects } = useProjects();
  const active = useActiveProjects();
  const watched = useMemo(
    () => (projects ?? []).filter(({ id }, at) => at < WATCHED || active.has(id)),
    [projects, active],
  );
  const loaded = useQueries({
    // The same request as useSessions, so that both share one response.
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

/** What to call a session: its title, if it has one. */
export function nameSession({ title, name }: Pick<Session, 'title' | 'name'>): string {
  return title ?? name;
}

type Loaded = Pick<UseQueryResult<Session[]>, 'data' | 'isPending'>;

function collectData(results: UseQueryResult<Session[]>[]): Loaded[] {
  return results.map(({ data, isPending }) => ({ data, isPending }));
}

function useActiveProjects(): ReadonlySet<string> {
  const [active, setActive] = useState<ReadonlySet<string>>(new Set());
  useHints(
    useCallback((hint: Hint) => {
      const projectId = 'projectId' in hint ? hint.projectId : undefined;
      if (!projectId) return;
      setActive((before) => (before.has(projectId) ? before : new Set([...before, projectId])));
    }, []),
  );
  return active;
}
