import { useMemo, useSyncExternalStore } from 'react';
import { readDraft, setDraft } from '../../../data/device/drafts.ts';
import { useOwner } from '../../../data/workspace.tsx';
import { focusComposer } from './composers.ts';
import { useHurry } from './delivery.ts';
import { dropEntry, entriesOf, findEntry, saveEntry, watchEntries } from './entries.ts';
import { createEntry, release, type Entry, type Writing } from './entry.ts';

/** A message being sent. It disappears at the moment the session gets the real one. */
export type OutboxItem = Pick<Entry, 'id' | 'body' | 'state' | 'error'>;

/** The messages of a session or thread that haven't been delivered yet. */
export function useOutbox(sessionId: string, parentMessageId: string | undefined) {
  useHurry();
  const owner = useOwner();
  const entries = useSyncExternalStore(watchEntries, () => entriesOf(owner));
  return useMemo(
    () => ({
      items: entries
        .filter((entry) => entry.sessionId === sessionId && entry.state !== 'sent')
        .filter((entry) => entry.parentMessageId === (parentMessageId ?? null)),
      retry(id: string) {
        const entry = findEntry(owner, id);
        if (entry) saveEntry(owner, release(entry, Date.now(), newId));
      },
      discard: (id: string) => dropEntry(owner, id),
      /** Removes it and puts its text back into the composer. */
      edit(id: string) {
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

export type Outbox = ReturnType<typeof useOutbox>;

export function putInOutbox(owner: string, writing: Writing): void {
  saveEntry(owner, createEntry(writing, Date.now(), newId));
}

/** `randomUUID` needs https. This also works on plain http in a home network. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
