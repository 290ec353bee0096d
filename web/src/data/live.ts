import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { keys } from './keys.ts';
import { useProjects } from './queries.ts';
import { useWorkspace } from './workspace.tsx';

/**
 * Live hints: the server says what changed, by name and id, and the screens list again. A browser opens
 * few connections to one origin, so of all tabs in an org one holds the stream and tells the others.
 */

export interface Hint {
  type: string;
  projectId?: string;
  sessionId?: string;
  messageId?: string;
  memoryId?: string;
}

const TYPES = [
  'resync',
  'message.created',
  'message.updated',
  'session.created',
  'session.updated',
  'session.read',
  'project.created',
  'project.updated',
  'memory.changed',
  'org.updated',
];

type Listener = (hint: Hint) => void;
const listeners = new Set<Listener>();

/** For what a screen does beyond listing again, such as moving to the newest message. */
export function useHints(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listener]);
}

let isConnected = true;
const watchers = new Set<() => void>();

function setConnected(value: boolean): void {
  if (value === isConnected) return;
  isConnected = value;
  for (const watcher of watchers) watcher();
}

/** False while the server cannot be reached: nothing new appears by itself meanwhile. */
export function useIsConnected(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    () => isConnected,
  );
}

/** Mounted once, above all screens. */
export function useLiveUpdates(): void {
  const { org, profile } = useWorkspace();
  const queryClient = useQueryClient();
  const { data: projects } = useProjects();
  useEffect(() => {
    const slugOf = (projectId: string | undefined) =>
      projects?.find(({ id }) => id === projectId)?.slug;
    const listener: Listener = (hint) => listAgain(queryClient, org.id, hint, slugOf);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [queryClient, org.id, projects]);
  useEffect(() => connect(org.id, profile.userId), [org.id, profile.userId]);
}

function connect(orgId: string, userId: string): () => void {
  const stopping = new AbortController();
  const name = `atrium.live.${userId}.${orgId}`;
  const channel = new BroadcastChannel(name);
  const tell = (hint: Hint) => {
    for (const listener of listeners) listener(hint);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<Hint | { connected: boolean }>) => {
    if ('connected' in data) setConnected(data.connected);
    else tell(data);
  });
  const announce = (connected: boolean) => {
    setConnected(connected);
    channel.postMessage({ connected });
  };
  const { signal } = stopping;
  // Missing on plain http but for this machine's own: there each tab holds a stream of its own.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) void holdStream(orgId, signal, setConnected, tell);
  locks
    ?.request(name, { signal }, () =>
      holdStream(orgId, signal, announce, (hint) => {
        tell(hint);
        channel.postMessage(hint);
      }),
    )
    .catch(() => {});
  return () => {
    stopping.abort();
    channel.close();
  };
}

const RETRY_MS = 2_000;

/** Until told to stop. An EventSource gives up for good on an answer that is no stream, so each failure opens another. */
function holdStream(
  orgId: string,
  signal: AbortSignal,
  announce: (connected: boolean) => void,
  onHint: Listener,
): Promise<void> {
  return new Promise((resolve) => {
    // The lock may be granted in the moment in which it is given up.
    if (signal.aborted) return resolve();
    let source: EventSource | undefined;
    let retry: ReturnType<typeof setTimeout>;
    const openAgain = () => {
      announce(false);
      source?.close();
      clearTimeout(retry);
      retry = setTimeout(open, RETRY_MS * (0.5 + Math.random()));
    };
    const open = () => {
      source = new EventSource(`/web/events?org=${encodeURIComponent(orgId)}`);
      source.addEventListener('open', () => announce(true));
      source.addEventListener('error', openAgain);
      for (const type of TYPES) {
        source.addEventListener(type, ({ data }: MessageEvent<string>) =>
          onHint({ ...(JSON.parse(data) as object), type }),
        );
      }
    };
    // Where the network is gone, the stream itself may not notice for minutes.
    addEventListener('offline', openAgain, { signal });
    signal.addEventListener('abort', () => {
      clearTimeout(retry);
      source?.close();
      resolve();
    });
    open();
  });
}

function listAgain(
  queryClient: QueryClient,
  orgId: string,
  hint: Hint,
  slugOf: (projectId: string | undefined) => string | undefined,
): void {
  const again = (queryKey: readonly unknown[]) => void queryClient.invalidateQueries({ queryKey });
  const slug = slugOf(hint.projectId);
  switch (hint.type) {
    case 'resync':
      return again(keys.org(orgId));
    case 'message.created':
    case 'message.updated':
      again(keys.messages(orgId, hint.sessionId ?? ''));
      if (hint.type === 'message.created' && slug) again(keys.sessions(orgId, slug));
      return;
    case 'session.created':
    case 'session.updated':
    case 'session.read':
      again(keys.session(orgId, hint.sessionId ?? ''));
      if (slug) again(keys.sessions(orgId, slug));
      return;
    case 'project.created':
    case 'project.updated':
      again(keys.projectMembers(orgId, hint.projectId ?? ''));
      return again(keys.projects(orgId));
    case 'memory.changed':
      return again(keys.memory(orgId));
    case 'org.updated':
      for (const key of [keys.members, keys.invitations, keys.integrations, keys.billing]) {
        again(key(orgId));
      }
      return;
  }
}
