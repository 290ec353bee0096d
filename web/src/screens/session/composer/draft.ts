import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { createListeners } from '../../../data/store.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { forget, keep, readKept } from './kept.ts';

/** Whose drafts these are: one browser may serve several people, each in several orgs. */
let owner: string | undefined;
/** What was given before any composer was there to say whose it is. */
const early = new Map<string, string>();
/** What the open composers hold. Another tab may hold something else; the last one to write is kept. */
const open = new Map<string, string>();
const changes = createListeners();
const composers = new Map<string, HTMLTextAreaElement>();

/** Fills the composer of a session, or of a thread in it; the text is there when it is opened next, too. */
export function setDraft(
  sessionId: string,
  parentMessageId: string | undefined,
  text: string,
): void {
  const place = placeOf(sessionId, parentMessageId);
  if (owner === undefined) early.set(place, text);
  else write(nameOf(owner, place), text);
}

export function readDraft(sessionId: string, parentMessageId: string | undefined): string {
  const place = placeOf(sessionId, parentMessageId);
  return owner === undefined ? (early.get(place) ?? '') : read(nameOf(owner, place));
}

/** Puts the focus into the composer of a thread, else of the session; its end is where one goes on. */
export function focusComposer(parentMessageId?: string): void {
  // A text that was just set is in the page after the next paint.
  requestAnimationFrame(() => {
    const composer = composers.get(parentMessageId ?? '') ?? composers.get('');
    composer?.focus();
    composer?.setSelectionRange(composer.value.length, composer.value.length);
  });
}

export function registerComposer(
  parentMessageId: string | undefined,
  area: HTMLTextAreaElement,
): () => void {
  const place = parentMessageId ?? '';
  composers.set(place, area);
  return () => {
    if (composers.get(place) === area) composers.delete(place);
  };
}

export function useDraft(
  sessionId: string,
  parentMessageId: string | undefined,
): [string, (text: string) => void] {
  const { profile, org } = useWorkspace();
  const who = `${profile.userId}.${org.id}`;
  const place = placeOf(sessionId, parentMessageId);
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

function placeOf(sessionId: string, parentMessageId: string | undefined): string {
  return parentMessageId === undefined ? sessionId : `${sessionId}.${parentMessageId}`;
}

function nameOf(who: string, place: string): string {
  return `atrium.draft.${who}.${place}`;
}

function read(name: string): string {
  return open.get(name) ?? readKept(name) ?? '';
}

function write(name: string, text: string): void {
  open.set(name, text);
  if (text === '') forget(name);
  else if (readKept(name) !== text) keep(name, text);
  changes.notify();
}
