import type { Agent, Member } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys } from './query-keys.ts';
import { useWorkspace } from './workspace.tsx';

/** Lists that many screens need. A query for one screen is in that screen's folder. */

/** All projects the person may see, fetched in pages of 100. */
export function useProjects() {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: keys.projects(org.id),
    queryFn: ({ signal }) => Array.fromAsync(client.projects.list({ limit: 100 }, { signal })),
  });
}

/** The project with a slug from the address. Undefined while loading, null if there is none. */
export function useProject(slug: string) {
  const projects = useProjects();
  const project = projects.data?.find((candidate) => candidate.slug === slug);
  return { ...projects, project: projects.data ? (project ?? null) : undefined };
}

export function useSessions(slug: string, status: 'ACTIVE' | 'ARCHIVED' = 'ACTIVE') {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: [...keys.sessions(org.id, slug), status],
    queryFn: async ({ signal }) =>
      (await client.sessions.list(slug, { limit: 100, status }, { signal })).items,
    enabled: slug !== '',
  });
}

export function useMembers() {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: keys.members(org.id),
    queryFn: async ({ signal }) => (await client.org.listMembers(org.id, { signal })).items,
    staleTime: 60_000,
  });
}

/** Looks people up by id, including those who have left. */
export function usePeople(): (userId: string | null) => Pick<Member, 'name' | 'email'> {
  const { data } = useMembers();
  return useMemo(() => {
    const byId = new Map(data?.map((member) => [member.userId, member]));
    return (userId) => byId.get(userId ?? '') ?? { name: data ? 'Former member' : '…', email: '' };
  }, [data]);
}

export function useModels() {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: keys.models(org.id),
    queryFn: async ({ signal }) => (await client.models.list({ signal })).items,
    staleTime: 5 * 60_000,
  });
}

/** The agents that the team made, as far as the person may see them. */
export function useAgents() {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: keys.agents(org.id),
    queryFn: async ({ signal }) => (await client.agents.list({ signal })).items,
    staleTime: 60_000,
  });
}

/** Those that answer in a project's sessions. */
export function useAgentsIn(projectId: string | undefined): Agent[] {
  const { data } = useAgents();
  return useMemo(
    () =>
      (data ?? []).filter(
        ({ isEnabled, projectIds }) =>
          isEnabled && (projectIds.length === 0 || projectIds.includes(projectId ?? '')),
      ),
    [data, projectId],
  );
}

export function useIntegrations() {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: keys.integrations(org.id),
    queryFn: async ({ signal }) => (await client.mcp.list({ signal })).items,
    staleTime: 60_000,
  });
}
