import type { Queryable } from '../../db/types.ts';
import { dropResponses, sumCounted, type StoringCaller } from './store.ts';

/** What a caller's responses may take up, as stored. */
const MOST_BYTES = 64 * 1024 * 1024;
/** The database is asked once for this much, so a sum over many small responses is rare. */
const GRANT_BYTES = 1024 * 1024;
/** How much is dropped at once, so that the next writes find room. */
const DROPPED_BYTES = 8 * 1024 * 1024;
const ASK_AGAIN_MS = 60_000;
/** Callers whose share is remembered. */
const MOST_CALLERS = 10_000;

/** Keeps what is stored for each caller's replays within bounds. Each process may exceed them by a grant. */
export interface Room {
  /** For a response that can be left out. False if there is no room for it. */
  take(caller: StoringCaller, bytes: number): Promise<boolean>;
  /** For one that was stored: drops others if there is no room, those that only read first. */
  make(caller: StoringCaller, bytes: number): Promise<void>;
}

interface Share {
  left: number;
  /** Set if this is all that is left. */
  askAgainAt: number | undefined;
}

export function createRoom(db: Queryable): Room {
  const shares = new Map<string, Promise<Share>>();

  async function ask(caller: StoringCaller): Promise<Share> {
    const left = MOST_BYTES - (await sumCounted(db, caller));
    if (left >= GRANT_BYTES) return { left: GRANT_BYTES, askAgainAt: undefined };
    return { left, askAgainAt: performance.now() + ASK_AGAIN_MS };
  }

  /** Requests of one caller that come together share one question. */
  function askOnce(name: string, caller: StoringCaller): Promise<Share> {
    if (shares.size >= MOST_CALLERS) shares.clear();
    const asked = ask(caller);
    shares.set(name, asked);
    asked.catch(() => shares.delete(name));
    return asked;
  }

  async function take(caller: StoringCaller, bytes: number): Promise<boolean> {
    const name = nameOf(caller);
    for (;;) {
      const asked = shares.get(name) ?? askOnce(name, caller);
      const share = await asked;
      if (share.left >= bytes) {
        share.left -= bytes;
        return true;
      }
      if (share.askAgainAt !== undefined && performance.now() < share.askAgainAt) return false;
      if (shares.get(name) === asked) shares.delete(name);
    }
  }

  async function make(caller: StoringCaller, bytes: number): Promise<void> {
    if (await take(caller, bytes)) return;
    await dropResponses(db, caller, MOST_BYTES - DROPPED_BYTES);
    shares.delete(nameOf(caller));
  }

  return { take, make };
}

function nameOf({ orgId, callerId }: StoringCaller): string {
  return `${orgId} ${callerId}`;
}
