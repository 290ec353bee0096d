import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { createListeners } from '../store.ts';
import { useOwner } from '../workspace.tsx';
import { forget, keep, listKept, readKept } from './kept.ts';

/** Messages that are begun and not sent, kept on this device. */

/** Whose drafts these are. */
let owner: string | undefined;
/** Drafts set before any composer was mounted to say whose they are. */
const early = new Map<string, string>();
/** The text of the open composers. Another tab may have other text, and the last write is kept. */
const open = new Map<string, string>();
const changes = createListeners();
/** For what only shows where there is a draft: it is not asked at each letter. */
const beginnings = createListeners();

/** Fills the composer of a session or thread, even if it isn't open yet. */
export function setDraft(
  sessionId: string,
  parentMessageId: string | undefined,
  text: string,
): void {
  const place = draftPlace(sessionId, parentMessageId);
  if (owner === undefined) early.set(place, text);
  else write(nameOf(owner, place), text);
}

export function readDraft(sessionId: string, parentMessageId: string | undefined): string {
  const place = draftPlace(sessionId, parentMessageId);
  return owner === undefined ? (early.get(place) ?? '') : read(nameOf(owner, place));
}

export function useDraft(
  sessionId: string,
  parentMessageId: string | undefined,
): [string, (text: string) => void] {
  const who = useOwner();
  const place = draftPlace(sessionId, parentMessageId);
  const name = nameOf(who, place);
  const text = useSyncExternalStore(changes.subscribe, () => early.get(place) ?? read(name));
  useEffect(() => {
    owner = who;
    const given = early.get(place);
    early.delete(place);
    write(name, given ?? read(name));
    return () => void open.delete(name);
  }, [who, place, name]);
  return [text, useCallback((next: string) => write(name, next), [name])];
}

/** The sessions in which the person has begun to write something, in any tab. */
export function useDraftedSessions(): ReadonlySet<string> {
  const prefix = nameOf(useOwner(), '');
  const ids = useSyncExternalStore(watchDrafts, () => listDrafted(prefix));
  return useMemo(() => new Set(ids.split(' ')), [ids]);
}

function watchDrafts(listener: () => void): () => void {
  const stop = beginnings.subscribe(listener);
  addEventListener('storage', listener);
  return () => {
    stop();
    removeEventListener('storage', listener);
  };
}

/** As one string, which stays the same while nothing changes. */
function listDrafted(prefix: string): string {
  const names = listKept(prefix).filter((name) => isBegun(read(name)));
  return [...new Set(names.map((name) => name.slice(prefix.length).split('.', 1)[0]))].join(' ');
}

/** Where a session's or thread's draft is. */
export function draftPlace(sessionId: string, parentMessageId: string | undefined): string {
  return parentMessageId === undefined ? sessionId : `${sessionId}.${parentMessageId}`;
}

function nameOf(who: string, place: string): string {
  return `atrium.draft.${who}.${place}`;
}

function read(name: string): string {
  return open.get(name) ?? readKept(name) ?? '';
}

function write(name: string, text: string): void {
  const wasBegun = isBegun(read(name));
  open.set(name, text);
  if (text === '') forget(name);
  else if (readKept(name) !== text) keep(name, text);
  changes.notify();
  if (isBegun(text) !== wasBegun) beginnings.notify();
}

function isBegun(text: string): boolean {
  return text.trim() !== '';
}
