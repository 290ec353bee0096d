import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Hint } from '../../../server/src/bus/hints.ts';
import { countMessage, setUnread } from './count-message.ts';
import { notePresenceChanges, ownState, type Presence } from './presence.ts';
import { keys } from './query-keys.ts';
import { useProjects } from './queries.ts';
import { refetchTasks } from './refetch-tasks.ts';
import { replies, type ReplyEvent } from './replies.ts';
import { createListeners, createStore, useStore } from './store.ts';
import { createTurns } from './turns.ts';
import { webApi } from './web-api.ts';
import { PROFILE_KEY, useWorkspace } from './workspace.tsx';

/**
 * Live hints: the server says what changed, by type and ids, and the screens refetch it. The same stream
 * carries replies while they are written. Browsers limit connections per origin, so one tab per org holds
 * the stream and passes everything on to the others.
 */

export type { Hint };

type PresenceEvent = { type: 'people.presence'; people: Record<string, Presence> };
type LiveEvent = Hint | ReplyEvent | PresenceEvent;

/** Every type, or the compiler complains: an EventSource only hears the events it is told to listen for. */
const TYPES: Record<LiveEvent['type'], true> = {
  resync: true,
  'message.created': true,
  'message.updated': true,
  'session.created': true,
  'session.updated': true,
  'session.read': true,
  'session.typing': true,
  'kept.changed': true,
  'notification.created': true,
  'notification.read': true,
  'project.created': true,
  'project.updated': true,
  'task.created': true,
  'task.updated': true,
  'memory.changed': true,
  'file.updated': true,
  'agent.updated': true,
  'org.updated': true,
  'member.updated': true,
  'people.presence': true,
  'reply.started': true,
  'reply.delta': true,
  'reply.tools': true,
  'reply.restarted': true,
  'reply.ended': true,
};

const hints = createListeners<[Hint]>();

function hear(event: LiveEvent): void {
  if (isAboutReply(event)) return replies.follow(event);
  if (event.type === 'people.presence') return notePresenceChanges(event.people);
  if (event.type === 'resync') replies.resync();
  hints.notify(event);
}

function isAboutReply(event: LiveEvent): event is ReplyEvent {
  return event.type.startsWith('reply.');
}

/** For what a screen does besides refetching, such as scrolling to the newest message. */
export function useHints(listener: (hint: Hint) => void): void {
  useEffect(() => hints.subscribe(listener), [listener]);
}

const connection = createStore(true);

/** False while the server can't be reached, and so nothing updates by itself. */
export function useIsConnected(): boolean {
  return useStore(connection);
}

/** Mounted once, around all screens. */
export function useLiveUpdates(): void {
  const { org, profile } = useWorkspace();
  const queryClient = useQueryClient();
  const { data: projects } = useProjects();
  useEffect(() => {
    const slugOf = (projectId: string) => projects?.find(({ id }) => id === projectId)?.slug;
    const person = { orgId: org.id, userId: profile.userId };
    return hints.subscribe((hint) => {
      // PeopleUpkeep fetches that person.
      if (hint.type !== 'member.updated') refetch(queryClient, person, hint, slugOf);
    });
  }, [queryClient, org.id, profile.userId, projects]);
  useEffect(() => connect(org.id, profile.userId), [org.id, profile.userId]);
}

/** What tabs tell each other. A tab that has just opened asks for the replies that are under way. */
type TabMessage = LiveEvent | { connected: boolean } | { asks: 'replies' };

function connect(orgId: string, userId: string): () => void {
  const stopping = new AbortController();
  const name = `atrium.live.${userId}.${orgId}`;
  const channel = new BroadcastChannel(name);
  const tell = (message: TabMessage) => channel.postMessage(message);
  let holdsStream = false;
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if ('connected' in data) connection.setState(data.connected);
    else if (!('asks' in data)) hear(data);
    else if (holdsStream) replies.list().forEach(tell);
  });
  tell({ asks: 'replies' });
  const announce = (connected: boolean) => {
    connection.setState(connected);
    tell({ connected });
  };
  const { signal } = stopping;
  // Missing on plain http, except on localhost. Then each tab holds its own stream.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) void holdStream(orgId, signal, connection.setState, hear);
  locks
    ?.request(name, { signal }, () => {
      holdsStream = true;
      return holdStream(orgId, signal, announce, (event) => {
        hear(event);
        tell(event);
      });
    })
    .catch(() => {});
  return () => {
    stopping.abort();
    channel.close();
    replies.clear();
  };
}

const RETRY_MS = 2_000;

/** Runs until aborted. An EventSource gives up on a response that isn't a stream, so each failure opens a new one. */
function holdStream(
  orgId: string,
  signal: AbortSignal,
  announce: (connected: boolean) => void,
  onEvent: (event: LiveEvent) => void,
): Promise<void> {
  return new Promise((resolve) => {
    // The lock may be granted at the very moment the tab stops waiting for it.
    if (signal.aborted) return resolve();
    let source: EventSource | undefined;
    let retry: ReturnType<typeof setTimeout>;
    const reopen = () => {
      announce(false);
      source?.close();
      clearTimeout(retry);
      retry = setTimeout(open, RETRY_MS * (0.5 + Math.random()));
    };
    const open = () => {
      const state = ownState.getState();
      source = new EventSource(`/web/events?org=${encodeURIComponent(orgId)}&state=${state}`);
      source.addEventListener('open', () => announce(true));
      source.addEventListener('error', reopen);
      for (const type of Object.keys(TYPES)) {
        source.addEventListener(type, ({ data }: MessageEvent<string>) =>
          onEvent({ ...(JSON.parse(data) as object), type } as LiveEvent),
        );
      }
    };
    // What is lost is said when the stream opens again.
    const stopTelling = ownState.subscribe(
      () => void webApi.reportPresence(ownState.getState()).catch(() => {}),
    );
    // The stream itself may take minutes to notice that the network is gone.
    addEventListener('offline', reopen, { signal });
    signal.addEventListener('abort', () => {
      clearTimeout(retry);
      stopTelling();
      source?.close();
      resolve();
    });
    open();
  });
}

/** A busy board changes faster than it is fetched, and each new request would cancel the one before. */
const taskTurns = createTurns();

function refetch(
  queryClient: QueryClient,
  person: { orgId: string; userId: string },
  hint: Hint,
  slugOf: (projectId: string) => string | undefined,
): void {
  const { orgId } = person;
  const invalidate = (queryKey: readonly unknown[]) =>
    void queryClient.invalidateQueries({ queryKey });
  const invalidateList = (projectId: string) => {
    const slug = slugOf(projectId);
    if (slug) invalidate(keys.sessions(orgId, slug));
  };
  const invalidateSessions = (projectId: string) => {
    invalidateList(projectId);
    invalidate(keys.overview(orgId));
    invalidate(keys.everySession(orgId));
    invalidate(keys.threads(orgId));
  };
  /** For what can only make them fewer. */
  const refetchUnreadThreads = () => {
    const queryKey = keys.unreadThreads(orgId);
    if (queryClient.getQueryData(queryKey) !== 0) invalidate(queryKey);
  };
  switch (hint.type) {
    case 'resync':
      return invalidate(keys.org(orgId));
    // An open session reads its messages itself. Nothing else that is always on the page has to be read.
    case 'message.created':
      countMessage(queryClient, person, hint);
      invalidateList(hint.projectId);
      if (hint.parentMessageId !== null) invalidate(keys.threads(orgId));
      return undefined;
    case 'message.updated':
      invalidate(keys.messages(orgId, hint.sessionId));
      invalidate(keys.threads(orgId));
      // What was deleted, or is not shown, is no longer unread, and a notification shows what its message says now.
      if (hint.change === 'DELETED' || hint.change === 'BRANCHED') {
        invalidate(keys.overview(orgId));
        refetchUnreadThreads();
      }
      if (hint.change) invalidate(keys.notifications(orgId));
      return undefined;
    case 'kept.changed':
      return invalidate(keys.kept(orgId));
    case 'notification.created':
      // People who take part in a thread are told about its replies.
      invalidate(keys.unreadThreads(orgId));
      return invalidate(keys.notifications(orgId));
    case 'notification.read':
      // If a thread was read too, a `session.read` says so.
      return invalidate(keys.notifications(orgId));
    case 'session.read':
      // It also says that something was marked unread, which may be a reply.
      if (hint.unreadCount === 0) refetchUnreadThreads();
      else invalidate(keys.unreadThreads(orgId));
      if (hint.unreadCount !== undefined) {
        setUnread(queryClient, orgId, hint.sessionId, hint.unreadCount);
        invalidateList(hint.projectId);
        return invalidate(keys.threads(orgId));
      }
      invalidate(keys.session(orgId, hint.sessionId));
      return invalidateSessions(hint.projectId);
    case 'session.created':
    case 'session.updated':
      invalidate(keys.session(orgId, hint.sessionId));
      return invalidateSessions(hint.projectId);
    case 'project.created':
    case 'project.updated':
      invalidate(keys.projectMembers(orgId, hint.projectId));
      invalidate(keys.projectChannels(orgId, hint.projectId));
      invalidate(keys.overview(orgId));
      return invalidate(keys.projects(orgId));
    case 'task.created':
    case 'task.updated':
      return void taskTurns.take(`${orgId}.${hint.projectId}`, () =>
        refetchTasks(queryClient, orgId, hint.projectId),
      );
    case 'file.updated':
      return invalidate(keys.files(orgId));
    case 'memory.changed':
      return invalidate(keys.memory(orgId));
    case 'agent.updated':
      return invalidate(keys.agents(orgId));
    case 'org.updated':
      // It has the org's name and the person's role.
      invalidate(PROFILE_KEY);
      for (const key of [
        keys.me,
        keys.orgDetails,
        keys.members,
        keys.invitations,
        keys.integrations,
        keys.models,
        keys.chatConnections,
        keys.channels,
        keys.billing,
      ]) {
        invalidate(key(orgId));
      }
  }
}
