import { useMemo, useSyncExternalStore } from 'react';
import { draftPlace, readDraft, setDraft } from '../../../data/device/drafts.ts';
import { newId } from '../../../data/new-id.ts';
import { cancelUploads } from '../../../data/uploads/cancel-uploads.ts';
import { places } from '../../../data/uploads/upload.ts';
import { moveUploads, uploadsAt } from '../../../data/uploads/uploads.ts';
import { useOwner, useWorkspace } from '../../../data/workspace.tsx';
import { focusComposer } from './composers.ts';
import { useHurry } from './delivery.ts';
import { dropEntry, entriesOf, findEntry, saveEntry, watchEntries } from './entries.ts';
import { createEntry, release, type Entry, type Writing } from './entry.ts';

/** A message being sent. It disappears at the moment the session gets the real one. */
export type OutboxItem = Pick<Entry, 'id' | 'body' | 'files' | 'state' | 'error'>;

/** The messages of a session or thread that haven't been delivered yet. */
export function useOutbox(sessionId: string, parentMessageId: string | undefined) {
  useHurry();
  const owner = useOwner();
  const { client } = useWorkspace();
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
      discard(id: string) {
        dropEntry(owner, id);
        void cancelUploads(owner, client, uploadsAt(owner, places.entry(id)));
      },
      /** Removes it and puts its text and its files back into the composer. */
      edit(id: string) {
        const body = findEntry(owner, id)?.body;
        dropEntry(owner, id);
        if (body === undefined) return;
        const place = places.draft(draftPlace(sessionId, parentMessageId));
        moveUploads(owner, places.entry(id), place);
        const draft = readDraft(sessionId, parentMessageId);
        setDraft(sessionId, parentMessageId, draft.trim() === '' ? body : `${body}\n\n${draft}`);
        focusComposer(parentMessageId);
      },
    }),
    [entries, owner, client, sessionId, parentMessageId],
  );
}

export type Outbox = ReturnType<typeof useOutbox>;

/** A message, with the files that were added to the draft in that place. */
export function putInOutbox(
  owner: string,
  writing: Omit<Writing, 'files'>,
  place = draftPlace(writing.sessionId, writing.parentMessageId),
): void {
  const from = places.draft(place);
  const files = uploadsAt(owner, from).length;
  const entry = createEntry({ ...writing, files }, Date.now(), newId);
  // It counts its files, so it waits for them whatever happens in between.
  saveEntry(owner, entry);
  moveUploads(owner, from, places.entry(entry.id));
}
