import type { Logger } from 'pino';
import { createBatchedLookUp } from '../../db/batched-look-up.ts';
import type { Queryable } from '../../db/types.ts';
import type { Authenticate, Caller } from '../../http/auth.ts';
import { hashSecret, isWellFormed, type KeyFamily } from './secret.ts';
import { findCallers, touchKey, type CallerRow } from './store.ts';

const TOUCH_EVERY_MS = 60_000;

export interface Authenticator {
  authenticate: Authenticate;
  /** Waits for the last-used times that are still being written. */
  settle(): Promise<void>;
}

/** Reads each caller's authority from the database, for every request; nothing is remembered. */
export function createAuthenticator(db: Queryable, log: Logger): Authenticator {
  const lookUp = createBatchedLookUp(async (hashes: Buffer[]) => {
    const rows = await findCallers(db, hashes);
    const byHash = new Map(rows.map((row) => [row.secretHash.toString('latin1'), row]));
    return hashes.map((hash) => byHash.get(hash.toString('latin1')));
  });
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
    async authenticate(kind, secret, on) {
      const family: KeyFamily = kind === 'user' ? 'v2' : 'v1';
      if (!isWellFormed(family, secret)) return undefined;
      const hash = hashSecret(secret);
      const row = on ? (await findCallers(on, [hash]))[0] : await lookUp(hash);
      if (!row) return undefined;
      if (!on) noteUse(row);
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
  return { orgId, actor: { kind: 'user', userId, email, role, keyId, webSessionId: null, scopes } };
}
