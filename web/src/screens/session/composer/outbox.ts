import { useMemo, useSyncExternalStore } from 'react';
import { useDelivery, useOwner } from './delivery.ts';
import { readDraft, setDraft } from '../../../data/device/drafts.ts';
import { focusComposer } from './composers.ts';
import { dropEntry, entriesOf, findEntry, saveEntry, watchEntries } from './entries.ts';
import { createEntry, release, type Writing } from './entry.ts';

/** A message being sent. It disappears at the moment the composer's `onSent` gets the real one. */
export interface OutboxItem {
  id: string;
  body: string;
  createdAt: string;
  status: 'sending' | 'failed';
  /** Why it wasn't sent. */
  error?: string;
}

export interface Outbox {
  items: readonly OutboxItem[];
  retry(id: string): void;
  discard(id: string): void;
  /** Removes it and puts its text back into the composer. */
  edit(id: string): void;
}

/** The messages of a session or thread that haven't been delivered yet. */
export function useOutbox(sessionId: string, parentMessageId?: string): Outbox {
  useDelivery();
  const owner = useOwner();
  const entries = useSyncExternalStore(watchEntries, () => entriesOf(owner));
  return useMemo(
    () => ({
      items: entries
        .filter((entry) => entry.sessionId === sessionId && entry.state !== 'sent')
        .filter((entry) => entry.parentMessageId === (parentMessageId ?? null))
        .map(({ id, body, createdAt, state, error }) => ({
          id,
          body,
          createdAt,
          status: state === 'failed' ? 'failed' : 'sending',
          ...(error !== null && { error }),
        })),
      retry(id) {
        const entry = findEntry(owner, id);
        if (entry) saveEntry(owner, release(entry, Date.now(), newId));
      },
      discard: (id) => dropEntry(owner, id),
      edit(id) {
        const body = findEntry(owner, id)?.body;
        dropEntry(owner, id);
        if (body === undefined) return;
        const draft = readDraft(sessionId, parentMessageId);
        setDraft(sessionId, parentMessageId, draft.trim() === '' ? body : `${body}\n\n${draft}`);
        focusComposer(parentMessageId);
      },
    }),
    [entries, owner, sessionId, parentMessageId],
  );
}

export function putInOutbox(owner: string, writing: Writing): void {
  saveEntry(owner, createEntry(writing, Date.now(), newId));
}

/** `randomUUID` needs https. This also works on plain http in a home network. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
