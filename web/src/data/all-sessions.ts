import type { Project, Session } from '@atrium/sdk';
import { useMemo } from 'react';
import { useOverview, useProjects } from './queries.ts';

export interface ProjectSessions {
  project: Project;
  /** Most recent first. Undefined until loaded. */
  sessions: Session[] | undefined;
  isLoading: boolean;
  unread: number;
}

/** All projects with their active sessions, for the sidebar, the home page and the palette. */
export function useAllSessions(): ProjectSessions[] | undefined {
  const { data: projects } = useProjects();
  const { data: overview, isPending: isLoading } = useOverview();
  return useMemo(() => {
    // Not unread ones first, so that none moves when it is read and Alt+↓ reaches them all.
    const recent = overview?.sessions.toSorted((a, b) => recency(b).localeCompare(recency(a)));
    const byProject = recent && Map.groupBy(recent, ({ projectId }) => projectId);
    return projects?.map((project) => {
      const sessions = byProject && (byProject.get(project.id) ?? []);
      return { project, sessions, isLoading, unread: sumUnread(sessions ?? []) };
    });
  }, [projects, overview, isLoading]);
}

/** When something last happened in a session. */
export function recency({ lastMessageAt, createdAt }: Session): string {
  return lastMessageAt ?? createdAt;
}

export function sumUnread(items: readonly { unreadCount: number }[]): number {
  return items.reduce((sum, { unreadCount }) => sum + unreadCount, 0);
}

/** What to call a session: its title, if it has one. */
export function nameSession({ title, name }: Pick<Session, 'title' | 'name'>): string {
  return title ?? name;
}
