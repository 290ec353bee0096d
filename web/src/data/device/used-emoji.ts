import { useMemo, useSyncExternalStore } from 'react';
import { createListeners } from '../store.ts';
import { useOwner } from '../workspace.tsx';
import { keep, readKept } from './kept.ts';

/** What a person chose lately, the last one first, and the skin tone they chose last. */
export interface UsedEmoji {
  recent: readonly string[];
  /** Empty for the yellow ones. */
  tone: string;
}

const NAME = 'atrium.emoji.';
/** Three rows of the picker. */
const MOST = 27;

const changes = createListeners();

/** Remembered on this device, for each person. */
export function useUsedEmoji() {
  const owner = useOwner();
  const stored = useSyncExternalStore(subscribe, () => readKept(NAME + owner) ?? '');
  return useMemo(
    () => ({
      ...parse(stored),
      noteUsed: (text: string) => noteUsed(owner, text),
      chooseTone: (tone: string) => save(owner, { tone }),
    }),
    [owner, stored],
  );
}

export function readUsed(owner: string): UsedEmoji {
  return parse(readKept(NAME + owner) ?? '');
}

export function noteUsed(owner: string, text: string): void {
  const { recent } = readUsed(owner);
  save(owner, { recent: [text, ...recent.filter((other) => other !== text)].slice(0, MOST) });
}

function save(owner: string, change: Partial<UsedEmoji>): void {
  // Read again, because another tab may have added some.
  keep(NAME + owner, JSON.stringify({ ...readUsed(owner), ...change }));
  changes.notify();
}

function subscribe(listener: () => void): () => void {
  const unsubscribe = changes.subscribe(listener);
  addEventListener('storage', listener);
  return () => {
    unsubscribe();
    removeEventListener('storage', listener);
  };
}

function parse(stored: string): UsedEmoji {
  try {
    const { recent, tone } = JSON.parse(stored) as { recent: unknown; tone: unknown };
    const texts = Array.isArray(recent) ? recent.filter((one) => typeof one === 'string') : [];
    return { recent: texts, tone: typeof tone === 'string' ? tone : '' };
  } catch {
    return { recent: [], tone: '' };
  }
}
