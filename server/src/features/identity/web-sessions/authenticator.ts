import type { Logger } from 'pino';
import { hashToken } from '../../../adapters/secrets/tokens.ts';
import { createBatchedLookup } from '../../../db/batched-lookup.ts';
import { createLastUse } from '../../../db/last-use.ts';
import type { Queryable } from '../../../db/types.ts';
import type { AuthenticateCookie, Caller } from '../../../http/callers/auth.ts';
import { isId } from '../../../core/ids.ts';
import { SCOPES } from '../../keys/scopes.ts';
import {
  findWebCallers,
  setLastOrg,
  touchSession,
  type SessionLookup,
  type WebCallerRow,
} from './store.ts';

/** In the browser people may do everything their role allows. */
const ALL_SCOPES: ReadonlySet<string> = new Set(SCOPES);

export interface CookieAuthenticator {
  authenticateCookie: AuthenticateCookie;
  /** Waits for the last-used times that are still being written. */
  settle(): Promise<void>;
}

/** Reads session, person and role from the database on every request. Nothing is cached. */
export function createCookieAuthenticator(db: Queryable, log: Logger): CookieAuthenticator {
  const lookUp = createBatchedLookup((lookups: SessionLookup[]) => findWebCallers(db, lookups));
  const lastUse = createLastUse(log, (sessionId) => touchSession(db, sessionId));

  return {
    async authenticateCookie(token, org, on) {
      const lookup = { hash: hashToken(token), org: org === undefined || isId(org) ? org : '' };
      const row = on ? (await findWebCallers(on, [lookup]))[0] : await lookUp(lookup);
      if (!row) return undefined;
      if (!on) {
        const { userId, orgId, lastOrgId } = row;
        if (orgId !== null && orgId !== lastOrgId) lastUse.write(setLastOrg(db, userId, orgId));
        lastUse.note(row.sessionId, row.lastSeenAt);
      }
      return toCaller(row);
    },
    settle: () => lastUse.settle(),
  };
}

function toCaller(row: WebCallerRow): Omit<Caller, 'secret'> {
  const { sessionId: webSessionId, userId, email, orgId, role, isFresh, hasPlainQuestions } = row;
  const credentials = { keyId: null, webSessionId, isFresh, scopes: ALL_SCOPES };
  return { orgId, actor: { kind: 'user', userId, email, role, hasPlainQuestions, ...credentials } };
}
