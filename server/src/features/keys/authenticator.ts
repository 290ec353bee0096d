import type { Logger } from 'pino';
import { createBatchedLookup } from '../../db/batched-lookup.ts';
import { createLastUse } from '../../db/last-use.ts';
import type { Queryable } from '../../db/types.ts';
import type { Authenticate, Caller } from '../../http/callers/auth.ts';
import { hashSecret, isWellFormed, type KeyFamily } from './secret.ts';
import { findCallers, touchKey, type CallerRow } from './store.ts';

export interface Authenticator {
  authenticate: Authenticate;
  /** Waits for the last-used times that are still being written. */
  settle(): Promise<void>;
}

/** Reads the caller's rights from the database on every request. Nothing is cached. */
export function createAuthenticator(db: Queryable, log: Logger): Authenticator {
  const lookUp = createBatchedLookup(async (hashes: Buffer[]) => {
    const rows = await findCallers(db, hashes);
    const byHash = new Map(rows.map((row) => [row.secretHash.toString('latin1'), row]));
    return hashes.map((hash) => byHash.get(hash.toString('latin1')));
  });
  const lastUse = createLastUse(log, (keyId) => touchKey(db, keyId));

  return {
    async authenticate(kind, secret, on) {
      const family: KeyFamily = kind === 'user' ? 'v2' : 'v1';
      if (!isWellFormed(family, secret)) return undefined;
      const hash = hashSecret(secret);
      const row = on ? (await findCallers(on, [hash]))[0] : await lookUp(hash);
      if (!row) return undefined;
      if (!on) lastUse.note(row.keyId, row.lastUsedAt);
      return toCaller(row);
    },
    settle: () => lastUse.settle(),
  };
}

function toCaller(row: CallerRow): Omit<Caller, 'secret'> {
  const { keyId, orgId, userId, email, role, hasPlainQuestions } = row;
  const scopes = new Set(row.scopes);
  if (userId === null || email === null || role === null) {
    return { orgId, actor: { kind: 'org-key', keyId, scopes } };
  }
  const credentials = { keyId, webSessionId: null, scopes };
  return { orgId, actor: { kind: 'user', userId, email, role, hasPlainQuestions, ...credentials } };
}
