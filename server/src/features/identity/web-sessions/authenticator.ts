import type { Logger } from 'pino';
import { hashToken } from '../../../adapters/secrets/tokens.ts';
import { createBatchedLookUp } from '../../../db/batched-look-up.ts';
import type { Queryable } from '../../../db/types.ts';
import type { AuthenticateCookie, Caller } from '../../../http/auth.ts';
import { isId } from '../../../ids.ts';
import { SCOPES } from '../../keys/scopes.ts';
import {
  findWebCallers,
  setLastOrg,
  touchSession,
  type AskedSession,
  type WebCallerRow,
} from './store.ts';

const TOUCH_EVERY_MS = 60_000;
/** In the browser people may do all that their role allows. */
const ALL_SCOPES: ReadonlySet<string> = new Set(SCOPES);

export interface CookieAuthenticator {
  authenticateCookie: AuthenticateCookie;
  /** Waits for what is still being noted. */
  settle(): Promise<void>;
}

/** Reads session, person and standing from the database, for every request; nothing is remembered. */
export function createCookieAuthenticator(db: Queryable, log: Logger): CookieAuthenticator {
  const lookUp = createBatchedLookUp((asked: AskedSession[]) => findWebCallers(db, asked));
  const touched = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  function write(statement: Promise<void>): void {
    const noted = statement
      .catch((error: unknown) => log.warn({ err: error }, 'the use of a web session was not noted'))
      .finally(() => writing.delete(noted));
    writing.add(noted);
  }

  /** Beside the request and outside its transaction: when it was last seen, and in which org. */
  function noteUse({ sessionId, userId, lastSeenAt, orgId, lastOrgId }: WebCallerRow): void {
    if (orgId !== null && orgId !== lastOrgId) write(setLastOrg(db, userId, orgId));
    const now = Date.now();
    if (now - lastSeenAt.getTime() < TOUCH_EVERY_MS) return;
    if (now - (touched.get(sessionId) ?? 0) < TOUCH_EVERY_MS) return;
    if (touched.size > 10_000) touched.clear();
    touched.set(sessionId, now);
    write(touchSession(db, sessionId));
  }

  return {
    async authenticateCookie(token, org, on) {
      const asked = { hash: hashToken(token), org: org === undefined || isId(org) ? org : '' };
      const row = on ? (await findWebCallers(on, [asked]))[0] : await lookUp(asked);
      if (!row) return undefined;
      if (!on) noteUse(row);
      return toCaller(row);
    },
    async settle() {
      await Promise.all(writing);
    },
  };
}

function toCaller(row: WebCallerRow): Omit<Caller, 'secret'> {
  const { sessionId, userId, email, orgId, role } = row;
  return {
    orgId,
    actor: {
      kind: 'user',
      userId,
      email,
      role,
      keyId: null,
      webSessionId: sessionId,
      scopes: ALL_SCOPES,
    },
  };
}
