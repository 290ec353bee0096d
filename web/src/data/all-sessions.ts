import type { Project, Session } from '@atrium/sdk';
import { useMemo } from 'react';
import { isLoud } from './following.ts';
import { useEverySession, useOverview, useProjects } from './queries.ts';

export interface ProjectSessions {
  project: Project;
  /** Most recent first. Undefined until loaded. */
  sessions: Session[] | undefined;
  isLoading: boolean;
  unread: number;
}

/** All projects with the sessions that the person follows, for the sidebar and the home page. */
export function useFollowedSessions(): ProjectSessions[] | undefined {
  const { data: overview, isPending } = useOverview();
  return useByProject(overview?.sessions, isPending);
}

/** The same with other recent sessions, for the palette and for filters. */
export function useAllSessions(): ProjectSessions[] | undefined {
  const { data: overview, isPending } = useOverview();
  const { data: every } = useEverySession();
  const sessions = useMemo(() => {
    if (!overview || !every) return overview?.sessions;
    const known = new Set(overview.sessions.map(({ id }) => id));
    return [...overview.sessions, ...every.filter(({ id }) => !known.has(id))];
  }, [overview, every]);
  return useByProject(sessions, isPending);
}

function useByProject(
  listed: readonly Session[] | undefined,
  isLoading: boolean,
): ProjectSessions[] | undefined {
  const { data: projects } = useProjects();
  return useMemo(() => {
    // Not unread ones first, so that none moves when it is read and Alt+↓ reaches them all.
    const recent = listed?.toSorted((a, b) => recency(b).localeCompare(recency(a)));
    const byProject = recent && Map.groupBy(recent, ({ projectId }) => projectId);
    return projects?.map((project) => {
      const sessions = byProject && (byProject.get(project.id) ?? []);
      const loud = sessions?.filter(isLoud);
      const unread = loud?.reduce((sum, { unreadCount }) => sum + unreadCount, 0) ?? 0;
      return { project, sessions, isLoading, unread };
    });
  }, [projects, listed, isLoading]);
}

/** The sessions of all projects in one list, most recent first. */
export function listSessions(all: readonly ProjectSessions[] | undefined = []) {
  return all
    .flatMap(({ project, sessions = [] }) => sessions.map((session) => ({ project, session })))
    .toSorted((a, b) => recency(b.session).localeCompare(recency(a.session)));
}

/** When something last happened in a session. */
export function recency({ lastMessageAt, createdAt }: Session): string {
  return lastMessageAt ?? createdAt;
}

/** What to call a session: its title, if it has one. */
export function nameSession({ title, name }: Pick<Session, 'title' | 'name'>): string {
  return title ?? name;
}
