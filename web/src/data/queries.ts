import type { Agent, ChannelMapping, Member, Message, Session } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { notePresences } from './presence.ts';
import { keys } from './query-keys.ts';
import { useFetched, useItems } from './use-fetched.ts';
import { webApi } from './web-api.ts';

const MINUTE = { staleTime: 60_000 };
const FIVE_MINUTES = { staleTime: 5 * 60_000 };

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
  /** Whether there are more sessions than these. */
  hasMore: boolean;
}

/** The sessions that the person follows, in one request. */
export function useOverview() {
  return useFetched(keys.overview, async ({ client }, options): Promise<Overview> => {
    const page = await client.sessions.listAll({ limit: 100, followed: true }, options);
    const { items: sessions, unreadTotal = 0, hasNextPage: hasMore } = page;
    return { sessions, unreadTotal, hasMore };
  });
}

/** The most recent sessions, followed or not, for what lets people find one. */
export function useEverySession() {
  return useItems(
    keys.everySession,
    ({ client }, options) => client.sessions.listAll({ limit: 100 }, options),
    MINUTE,
  );
}

/** The newest of what the person was told and has not read, and how much there is. */
export function useUnreadNotifications() {
  const key = (orgId: string) => [...keys.notifications(orgId), 'unread'];
  return useFetched(key, async ({ client }, options) => {
    const page = await client.notifications.list({ unread: true, limit: 20 }, options);
    return { items: page.items, total: page.unreadTotal ?? 0 };
  });
}

/** How many of the threads that the person takes part in have unread replies. */
export function useUnreadThreads() {
  return useFetched(
    keys.unreadThreads,
    async ({ client }, options) =>
      (await client.messages.listThreads({ unread: true, limit: 1 }, options)).total ?? 0,
  );
}

/** What the person has chosen for themselves in this org. */
export function useMe() {
  return useFetched(keys.me, ({ client }, options) => client.identity.me(options), MINUTE);
}

export function useMembers() {
  return useItems(
    keys.members,
    async ({ client, org }, options) => {
      const list = await client.org.listMembers(org.id, options);
      notePresences(list.items);
      return list;
    },
    MINUTE,
  );
}

/** Somebody who has left has no handle and no role. */
export type KnownPerson = Pick<Member, 'name' | 'email'> & Partial<Member>;

const UNKNOWN = () => ({ name: '…', email: '' });
const FORMER = { name: 'Former member', email: '' };
/** One for each list, because every name on a page asks. */
const finders = new WeakMap<readonly Member[], (userId: string | null) => KnownPerson>();

function finderOf(members: readonly Member[]): (userId: string | null) => KnownPerson {
  const known = finders.get(members);
  if (known) return known;
  const byId = new Map(members.map((member) => [member.userId, member]));
  const find = (userId: string | null) => byId.get(userId ?? '') ?? FORMER;
  finders.set(members, find);
  return find;
}

/** Looks people up by id, including those who have left. */
export function usePeople(): (userId: string | null) => KnownPerson {
  const { data } = useMembers();
  return data ? finderOf(data) : UNKNOWN;
}

/** Everyone with access to a project, whether added or not. */
export function useProjectMembers(projectId: string | undefined) {
  return useItems(
    (orgId) => keys.projectMembers(orgId, projectId ?? ''),
    ({ client }, options) => client.projects.listMembers(projectId ?? '', options),
    { ...MINUTE, enabled: projectId !== undefined },
  );
}

export function useModels() {
  return useItems(keys.models, ({ client }, options) => client.models.list(options), FIVE_MINUTES);
}

/** The agents that the team made, as far as the person may see them. */
export function useAgents() {
  return useItems(keys.agents, ({ client }, options) => client.agents.list({}, options), MINUTE);
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

/** How this server is set up. It stays so while it runs. */
export function useServerInfo() {
  return useQuery({
    queryKey: keys.serverInfo,
    queryFn: () => webApi.serverInfo(),
    staleTime: Infinity,
  });
}

export function useIntegrations() {
  return useItems(keys.integrations, ({ client }, options) => client.mcp.list(options), MINUTE);
}

/** A project's mapped chat channels. */
export function useChannels(projectId: string, isNeeded = true) {
  return useItems(
    (orgId) => keys.projectChannels(orgId, projectId),
    ({ client }, options) => client.channels.list(projectId, options),
    { ...FIVE_MINUTES, enabled: isNeeded },
  );
}

/** The chat channel that a session is too. */
export function useChannel({ projectId, id, kind }: Session): ChannelMapping | undefined {
  return useChannels(projectId, kind === 'PROJECT').data?.find(({ sessionId }) => sessionId === id);
}

/** How many tasks a project has ever had. They are numbered from 1, and none is ever removed. */
export function useTaskTotal(projectId: string) {
  return useFetched(
    (orgId) => [...keys.tasks(orgId, projectId), 'total'],
    async ({ client }, options) => {
      const count = async (archived: boolean) =>
        (await client.tasks.list(projectId, { archived, limit: 1 }, options)).total ?? 0;
      const [open, archived] = await Promise.all([count(false), count(true)]);
      return open + archived;
    },
    MINUTE,
  );
}

/** A task by its id, such as the parent of a subtask. */
export function useTaskById(projectId: string, taskId: string | null) {
  return useFetched(
    (orgId) => [...keys.tasks(orgId, projectId), 'id', taskId],
    ({ client }, options) => client.tasks.get(projectId, taskId ?? '', options),
    { enabled: taskId !== null },
  );
}
