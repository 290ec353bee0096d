import { AtriumError, type Atrium, type Message } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { inTurn } from '../../../data/in-turn.ts';
import { useIsConnected } from '../../../data/live.ts';
import { webApi } from '../../../data/web-api.ts';
import { places } from '../../../data/uploads/upload.ts';
import { dropUploadsAt, uploadsAt, watchUploads } from '../../../data/uploads/uploads.ts';
import { PROFILE_KEY, useOwner, useWorkspace } from '../../../data/workspace.tsx';
import {
  deliverEntry,
  entriesOf,
  findEntry,
  refreshEntries,
  saveEntry,
  watchEntries,
} from './entries.ts';
import {
  afterFailure,
  beginAttempt,
  hurry,
  nextToSend,
  storedFilesOf,
  type Entry,
} from './entry.ts';

/** Sends what is in the outbox. Mounted once, around all screens. */
export function useDelivery(): void {
  const owner = useOwner();
  const { client } = useWorkspace();
  const queryClient = useQueryClient();
  useHurry();
  useEffect(
    () =>
      startDelivery(owner, client, () => {
        // Signed out: the shell refetches the profile and shows the sign-in page.
        void queryClient.invalidateQueries({ queryKey: PROFILE_KEY });
      }),
    [owner, client, queryClient],
  );
}

/** Tries at once when the connection is back, and when somebody opens the session or thread. */
export function useHurry(): void {
  const owner = useOwner();
  const isConnected = useIsConnected();
  useEffect(() => {
    if (isConnected) hurryAll(owner);
  }, [isConnected, owner]);
}

/** Much longer than the server takes, and than most proxies wait. */
const TIMEOUT_MS = 60_000;

function hurryAll(owner: string): void {
  for (const entry of entriesOf(owner)) {
    const sooner = hurry(entry);
    if (entry.state === 'waiting' && sooner !== entry) saveEntry(owner, sooner);
  }
}

function startDelivery(owner: string, client: Atrium, onSignedOut: () => void): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** The sessions whose messages are being sent. */
  const busy = new Set<string>();
  const wake = () => {
    for (const entry of entriesOf(owner)) {
      const { sessionId, state } = entry;
      if (state !== 'waiting' || busy.has(sessionId) || !filesOf(entry)) continue;
      busy.add(sessionId);
      sendAll(sessionId)
        .catch((error: unknown) => {
          if (!signal.aborted) reportError(error);
        })
        .finally(() => void busy.delete(sessionId));
    }
  };
  addEventListener('online', () => hurryAll(owner), { signal });
  const stopWatching = [watchEntries(wake), watchUploads(wake)];
  wake();
  return () => {
    stopping.abort();
    for (const stop of stopWatching) stop();
  };

  /** Sends one session's messages one after the other. Only one tab sends at a time. */
  async function sendAll(sessionId: string): Promise<void> {
    for (;;) {
      const entry = nextToSend(entriesOf(owner), sessionId, (one) => filesOf(one) !== undefined);
      if (!entry || signal.aborted) return;
      const early = entry.retryAt - Date.now();
      if (early > 0) await waitForChange(early, signal);
      // The Idempotency-Key prevents duplicates if there are no locks.
      else await inTurn(`atrium.outbox.${owner}.${sessionId}`, signal, () => attempt(entry.id));
    }
  }

  async function attempt(id: string): Promise<void> {
    // Another tab may have sent it, or just tried to, while this one waited for its turn.
    const entry = findEntry(owner, id);
    const fileIds = entry && filesOf(entry);
    if (entry?.state !== 'waiting' || !fileIds || entry.retryAt > Date.now()) {
      return refreshEntries(owner);
    }
    let begun = entry;
    let message: Message;
    try {
      begun = beginAttempt(entry, await findSignIn(entry.sentAs !== null), Date.now(), fileIds);
      saveEntry(owner, begun);
      if (begun.state === 'failed') return;
      const { slug, sessionId, body, parentMessageId, key } = begun;
      message = await client.messages.post(
        slug,
        sessionId,
        {
          body,
          ...(parentMessageId !== null && { parentMessageId }),
          ...(fileIds.length > 0 && { fileIds: [...fileIds] }),
        },
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
    deliverEntry(owner, { ...begun, state: 'sent', message });
    dropUploadsAt(owner, places.entry(id));
  }

  function filesOf(entry: Entry): readonly string[] | undefined {
    return storedFilesOf(entry, uploadsAt(owner, places.entry(entry.id)));
  }
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
