import type { Logger } from 'pino';
import type { Queryable } from '../../db/database.ts';
import type { Authenticate, Caller } from '../../http/auth.ts';
import { hashSecret, isWellFormed, type KeyFamily } from './secret.ts';
import { findCallers, touchKey, type CallerRow } from './store.ts';

const TOUCH_EVERY_MS = 60_000;
const MAX_BATCH = 200;

export interface Authenticator {
  authenticate: Authenticate;
  /** Waits for the last-used times that are still being written. */
  settle(): Promise<void>;
}

/** Reads each caller's authority from the database, for every request; nothing is remembered. */
export function createAuthenticator(db: Queryable, log: Logger): Authenticator {
  const lookUp = createBatchedLookUp((hashes) => findCallers(db, hashes));
  const touched = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  /** At most once a minute a key, beside the request and outside its transaction. */
  function noteUse({ keyId, lastUsedAt }: CallerRow): void {
    const now = Date.now();
    if (lastUsedAt && now - lastUsedAt.getTime() < TOUCH_EVERY_MS) return;
    if (now - (touched.get(keyId) ?? 0) < TOUCH_EVERY_MS) return;
    if (touched.size > 10_000) touched.clear();
    touched.set(keyId, now);
    const write = touchKey(db, keyId)
      .catch((error: unknown) => log.warn({ err: error, keyId }, 'last use of a key was not noted'))
      .finally(() => writing.delete(write));
    writing.add(write);
  }

  return {
    async authenticate(kind, secret) {
      const family: KeyFamily = kind === 'user' ? 'v2' : 'v1';
      if (!isWellFormed(family, secret)) return undefined;
      const row = await lookUp(hashSecret(secret));
      if (!row) return undefined;
      noteUse(row);
      return toCaller(row);
    },
    async settle() {
      await Promise.all(writing);
    },
  };
}

function toCaller(row: CallerRow): Omit<Caller, 'secret'> {
  const { keyId, orgId, userId, email, role } = row;
  const scopes = new Set(row.scopes);
  if (userId === null || email === null || role === null) {
    return { orgId, actor: { kind: 'org-key', keyId, scopes } };
  }
  return { orgId, actor: { kind: 'user', userId, email, role, keyId, scopes } };
}

type LookUp = (hash: Buffer) => Promise<CallerRow | undefined>;

/**
 * Requests that arrive while one look-up is under way share the next one: a busy server asks once
 * for many. A request never joins a look-up that began before it, so what it learns is fresh.
 */
function createBatchedLookUp(find: (hashes: Buffer[]) => Promise<CallerRow[]>): LookUp {
  interface Waiting {
    hash: Buffer;
    resolve: (row: CallerRow | undefined) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let asking = false;

  async function ask(): Promise<void> {
    asking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_BATCH);
      waiting = waiting.slice(MAX_BATCH);
      try {
        const rows = await find(batch.map(({ hash }) => hash));
        const byHash = new Map(rows.map((row) => [row.secretHash.toString('latin1'), row]));
        for (const { hash, resolve } of batch) resolve(byHash.get(hash.toString('latin1')));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    asking = false;
  }

  return (hash) => {
    const answer = Promise.withResolvers<CallerRow | undefined>();
    waiting.push({ hash, ...answer });
    // Requests of one turn of the event loop are read one after the other: let them gather.
    if (!asking) {
      asking = true;
      setImmediate(() => void ask());
    }
    return answer.promise;
  };
}
