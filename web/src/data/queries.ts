import type { Agent, ChannelMapping, Member, Message, Session } from '@atrium/sdk';
import { useMemo } from 'react';
import { keys } from './query-keys.ts';
import { useFetched, useItems } from './use-fetched.ts';

/** Lists that many screens need. A query for one screen is in that screen's folder. */

/** All projects the person may see, fetched in pages of 100. */
export function useProjects() {
  return useFetched(keys.projects, ({ client }, options) =>
    Array.fromAsync(client.projects.list({ limit: 100 }, options)),
  );
}

/** The project with a slug from the address. Undefined while loading, null if there is none. */
export function useProject(slug: string) {
  const projects = useProjects();
  const project = projects.data?.find((candidate) => candidate.slug === slug);
  return { ...projects, project: projects.data ? (project ?? null) : undefined };
}

export function useSessions(slug: string, status: 'ACTIVE' | 'ARCHIVED' = 'ACTIVE') {
  return useItems(
    (orgId) => [...keys.sessions(orgId, slug), status],
    ({ client }, options) => client.sessions.list(slug, { limit: 100, status }, options),
    { enabled: slug !== '' },
  );
}

export interface Overview {
  /** Unread ones first, then the most recently active. */
  sessions: Session[];
  /** Of unread messages, in every session. */
  unreadTotal: number;
}

/** The sessions of all projects that matter most, in one request. */
export function useOverview() {
  return useFetched(keys.overview, async ({ client }, options): Promise<Overview> => {
    const page = await client.sessions.listAll({ limit: 100 }, options);
    return { sessions: page.items, unreadTotal: page.unreadTotal ?? 0 };
  });
}

/** The newest of what the person was told and has not read, and how much there is. */
export function useUnreadNotifications() {
  const key = (orgId: string) => [...keys.notifications(orgId), 'unread'];
  return useFetched(key, async ({ client }, options) => {
    const page = await client.notifications.list({ unread: true, limit: 20 }, options);
    return { items: page.items, total: page.unreadTotal ?? 0 };
  });
}

/** What the person has chosen for themselves in this org. */
export function useMe() {
  return useFetched(keys.me, ({ client }, options) => client.identity.me(options), {
    staleTime: 60_000,
  });
}

export function useMembers() {
  return useItems(
    keys.members,
    ({ client, org }, options) => client.org.listMembers(org.id, options),
    { staleTime: 60_000 },
  );
}

/** Somebody who has left has no handle and no role. */
export type KnownPerson = Pick<Member, 'name' | 'email'> & Partial<Pick<Member, 'handle' | 'role'>>;

/** Looks people up by id, including those who have left. */
export function usePeople(): (userId: string | null) => KnownPerson {
  const { data } = useMembers();
  return useMemo(() => {
    const byId = new Map(data?.map((member) => [member.userId, member]));
    return (userId) => byId.get(userId ?? '') ?? { name: data ? 'Former member' : '…', email: '' };
  }, [data]);
}

/** Everyone with access to a project, whether added or not. */
export function useProjectMembers(projectId: string | undefined) {
  return useItems(
    (orgId) => keys.projectMembers(orgId, projectId ?? ''),
    ({ client }, options) => client.projects.listMembers(projectId ?? '', options),
    { enabled: projectId !== undefined, staleTime: 60_000 },
  );
}

export function useModels() {
  return useItems(keys.models, ({ client }, options) => client.models.list(options), {
    staleTime: 5 * 60_000,
  });
}

/** The agents that the team made, as far as the person may see them. */
export function useAgents() {
  return useItems(keys.agents, ({ client }, options) => client.agents.list(options), {
    staleTime: 60_000,
  });
}

/** An agent is called what its team calls it, and a model by its slug. `mcp` changes tasks for MCP clients. */
export function useAgentNames(): (slug: string) => string {
  const { data } = useAgents();
  return useMemo(() => {
    const names = new Map(data?.map(({ slug, name }) => [slug, name]));
    return (slug) => names.get(slug) ?? (slug === 'mcp' ? 'MCP client' : slug);
  }, [data]);
}

type Author = Pick<Message, 'authorUserId' | 'externalAuthor' | 'agentSlug'>;

/** What to call whoever wrote a message: an agent, somebody in a chat channel, or a member. */
export function nameAuthor(
  message: Author,
  person: (userId: string | null) => Pick<KnownPerson, 'name'>,
  agent: (slug: string) => string,
): string {
  if (message.agentSlug !== null) return agent(message.agentSlug);
  return isExternal(message) ? message.externalAuthor.name : person(message.authorUserId).name;
}

/** Whether somebody in a chat channel wrote it who isn’t a member. They choose their name themselves. */
export function isExternal<T extends Pick<Message, 'authorUserId' | 'externalAuthor'>>(
  message: T,
): message is T & { externalAuthor: NonNullable<Message['externalAuthor']> } {
  return message.authorUserId === null && message.externalAuthor !== null;
}

export function useAuthorName(): (message: Author) => string {
  const person = usePeople();
  const agent = useAgentNames();
  return (message) => {
    const name = nameAuthor(message, person, agent);
    return isExternal(message) ? `${name} (external)` : name;
  };
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
  return useItems(keys.integrations, ({ client }, options) => client.mcp.list(options), {
    staleTime: 60_000,
  });
}

/** A project's mapped chat channels. */
export function useChannels(projectId: string) {
  return useItems(
    (orgId) => keys.projectChannels(orgId, projectId),
    ({ client }, options) => client.channels.list(projectId, options),
    { staleTime: 5 * 60_000 },
  );
}

/** The chat channel that a session is too. */
export function useChannel({ projectId, id }: Session): ChannelMapping | undefined {
  return useChannels(projectId).data?.find(({ sessionId }) => sessionId === id);
}

/** A task by its id, such as the parent of a subtask. */
export function useTaskById(projectId: string, taskId: string | null) {
  return useFetched(
    (orgId) => [...keys.tasks(orgId, projectId), 'id', taskId],
    ({ client }, options) => client.tasks.get(projectId, taskId ?? '', options),
    { enabled: taskId !== null },
  );
}
