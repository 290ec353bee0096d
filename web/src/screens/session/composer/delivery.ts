import { AtriumError, type Atrium, type Message } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useIsConnected } from '../../../data/live.ts';
import { webApi } from '../../../data/web-api.ts';
import { PROFILE_KEY, useWorkspace } from '../../../data/workspace.tsx';
import {
  deliverEntry,
  entriesOf,
  findEntry,
  refreshEntries,
  saveEntry,
  watchEntries,
} from './entries.ts';
import { afterAnswer, afterFailure, beginAttempt, hurry, nextToSend } from './entry.ts';

/** Whose outbox it is. */
export function useOwner(): string {
  const { profile, org } = useWorkspace();
  return `${profile.userId}.${org.id}`;
}

/** Sends what is in the outbox while any component that uses it is mounted. */
export function useDelivery(): void {
  const owner = useOwner();
  const { client } = useWorkspace();
  const queryClient = useQueryClient();
  const isConnected = useIsConnected();
  useEffect(
    () =>
      share(owner, () =>
        startDelivery(owner, client, () => {
          // Signed out: the shell refetches the profile and shows the sign-in page.
          void queryClient.invalidateQueries({ queryKey: PROFILE_KEY });
        }),
      ),
    [owner, client, queryClient],
  );
  useEffect(() => {
    if (isConnected) hurryAll(owner);
  }, [isConnected, owner]);
}

const running = new Map<string, { count: number; stop: () => void }>();

/** Runs once per owner, however many composers there are. */
function share(owner: string, start: () => () => void): () => void {
  const shared = running.get(owner) ?? { count: 0, stop: start() };
  shared.count++;
  running.set(owner, shared);
  return () => {
    if (--shared.count > 0) return;
    shared.stop();
    running.delete(owner);
  };
}

/** The connection is back, so there is no reason to wait any longer. */
function hurryAll(owner: string): void {
  for (const entry of entriesOf(owner)) {
    const sooner = hurry(entry);
    if (entry.state === 'waiting' && sooner !== entry) saveEntry(owner, sooner);
  }
}

function startDelivery(owner: string, client: Atrium, onSignedOut: () => void): () => void {
  const stopping = new AbortController();
  const queues = new Map<string, Promise<void>>();
  const wake = () => {
    const waiting = entriesOf(owner).filter(({ state }) => state === 'waiting');
    for (const { sessionId } of waiting) {
      if (queues.has(sessionId)) continue;
      const queue = runQueue(owner, sessionId, client, onSignedOut, stopping.signal)
        .catch((error: unknown) => {
          if (!stopping.signal.aborted) reportError(error);
        })
        .finally(() => void queues.delete(sessionId));
      queues.set(sessionId, queue);
    }
  };
  const onOnline = () => hurryAll(owner);
  window.addEventListener('online', onOnline);
  const stopWatching = watchEntries(wake);
  wake();
  return () => {
    stopping.abort();
    stopWatching();
    window.removeEventListener('online', onOnline);
  };
}

/** Sends one session's messages one after the other. Only one tab sends at a time. */
async function runQueue(
  owner: string,
  sessionId: string,
  client: Atrium,
  onSignedOut: () => void,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const entry = nextToSend(entriesOf(owner), sessionId);
    if (!entry || signal.aborted) return;
    const early = entry.retryAt - Date.now();
    if (early > 0) {
      await waitForChange(early, signal);
      continue;
    }
    const lock = `atrium.outbox.${owner}.${sessionId}`;
    await inTurn(lock, signal, () => attempt(owner, entry.id, client, onSignedOut));
  }
}

/** Plain http has no locks, except on localhost. The Idempotency-Key prevents duplicates there. */
async function inTurn(lock: string, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | undefined;
  await (locks ? locks.request(lock, { signal }, run) : run());
}

/** Much longer than the server takes, and than most proxies wait. */
const TIMEOUT_MS = 60_000;

async function attempt(
  owner: string,
  id: string,
  client: Atrium,
  onSignedOut: () => void,
): Promise<void> {
  // Another tab may have sent it, or just tried to, while this one waited for its turn.
  const entry = findEntry(owner, id);
  if (entry?.state !== 'waiting' || entry.retryAt > Date.now()) {
    refreshEntries(owner);
    return;
  }
  let begun = entry;
  let message: Message;
  try {
    begun = beginAttempt(entry, await findSignIn(entry.sentAs !== null), Date.now());
    saveEntry(owner, begun);
    if (begun.state === 'failed') return;
    const { slug, sessionId, body, parentMessageId, key } = begun;
    message = await client.messages.post(
      slug,
      sessionId,
      { body, ...(parentMessageId !== null && { parentMessageId }) },
      { idempotencyKey: key, maxRetries: 0, timeout: TIMEOUT_MS },
    );
  } catch (error) {
    if (error instanceof AtriumError && error.status === 401) {
      signIn = undefined;
      onSignedOut();
    }
    // If the person discarded it meanwhile, it stays discarded.
    if (findEntry(owner, id)) saveEntry(owner, afterFailure(entry, begun, error, Date.now()));
    return;
  }
  deliverEntry(owner, afterAnswer(begun, message));
}

let signIn: string | undefined;

/** The id of this browser's sign-in, under which the server keeps Idempotency-Keys. */
async function findSignIn(mayHaveChanged: boolean): Promise<string> {
  if (signIn === undefined || mayHaveChanged) {
    const { items } = await webApi.devices();
    signIn = items.find(({ current }) => current)?.id ?? 'unknown';
  }
  return signIn;
}

/** Resolves when an entry changes or the time is up. */
function waitForChange(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      stopWatching();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    const stopWatching = watchEntries(finish);
    signal.addEventListener('abort', finish);
  });
}
