import { createListeners } from '../../../data/store.ts';
import type { Entry } from './entry.ts';
import { forget, keep, listKept, readKept } from '../../../data/device/kept.ts';

/**
 * The entries of all outboxes. Each is stored under its own name, so that tabs never overwrite each
 * other's. The browser tells other tabs about changes.
 */

const changes = createListeners();
const deliveries = createListeners<[Entry]>();
const read = new Map<string, readonly Entry[]>();

export function entriesOf(owner: string): readonly Entry[] {
  let entries = read.get(owner);
  if (!entries) {
    entries = listKept(prefixOf(owner))
      .flatMap((name) => parse(readKept(name)))
      .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
    read.set(owner, entries);
  }
  return entries;
}

export function findEntry(owner: string, id: string): Entry | undefined {
  return parse(readKept(prefixOf(owner) + id))[0];
}

export function saveEntry(owner: string, entry: Entry): void {
  keep(prefixOf(owner) + entry.id, JSON.stringify(entry));
  refreshEntries(owner);
}

export function dropEntry(owner: string, id: string): void {
  forget(prefixOf(owner) + id);
  refreshEntries(owner);
}

/** The server has the message: every tab that shows it takes over, and the entry is removed. */
export function deliverEntry(owner: string, sent: Entry): void {
  // Written once more, so that other tabs read the response.
  keep(prefixOf(owner) + sent.id, JSON.stringify(sent));
  forget(prefixOf(owner) + sent.id);
  deliveries.notify(sent);
  refreshEntries(owner);
}

export const watchEntries = changes.subscribe;
export const watchDelivered = deliveries.subscribe;

const PREFIX = 'atrium.outbox.';

function prefixOf(owner: string): string {
  return `${PREFIX}${owner}.`;
}

/** Reads the entries again: another tab's change may arrive before its storage event. */
export function refreshEntries(owner: string): void {
  read.delete(owner);
  changes.notify();
}

addEventListener('storage', ({ key, newValue }) => {
  if (key !== null && !key.startsWith(PREFIX)) return;
  for (const entry of parse(newValue)) {
    if (entry.state === 'sent') deliveries.notify(entry);
  }
  read.clear();
  changes.notify();
});

/** Empty if the text isn't an entry, since another version of the app may have written it. */
function parse(text: string | null | undefined): Entry[] {
  if (!text) return [];
  try {
    const entry = JSON.parse(text) as Entry;
    if (typeof entry.id !== 'string' || typeof entry.body !== 'string') return [];
    // Written before messages had files.
    return [{ ...entry, files: entry.files ?? 0, fileIds: entry.fileIds ?? null }];
  } catch {
    return [];
  }
}
