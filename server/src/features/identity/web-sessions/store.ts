import { FRESH_MINUTES, type Role } from '../../../core/context.ts';
import { purgeInBatches } from '../../../db/purge.ts';
import type { Queryable, SharedReader, Transaction } from '../../../db/types.ts';

export interface SessionLookup {
  hash: Buffer;
  /** The org named in the request. */
  org: string | undefined;
}

export interface WebCallerRow {
  sessionId: string;
  userId: string;
  email: string;
  lastOrgId: string | null;
  orgId: string | null;
  role: Role | null;
  lastSeenAt: Date;
  isFresh: boolean;
  hasPlainQuestions: boolean;
}

const LIFE = "interval '30 days'";

/** Whether the person has signed in, or confirmed that it is them, recently enough to create keys. */
const IS_FRESH = `greatest(s.created_at, s.confirmed_at) > now() - interval '${FRESH_MINUTES} minutes'`;

/**
 * Live sessions with the person's role in the named org. If none is named: in the org they used last, or
 * else in the one they joined first. In the order of `lookups`.
 */
export async function findWebCallers(
  db: SharedReader,
  lookups: readonly SessionLookup[],
): Promise<(WebCallerRow | undefined)[]> {
  const rows = await db.sharedRead<WebCallerRow & { at: number }>(
    `SELECT a.at::int AS at, s.id AS "sessionId", u.id AS "userId", u.email, u.last_org_id AS "lastOrgId",
       m.org_id AS "orgId", m.role, s.last_seen_at AS "lastSeenAt", ${IS_FRESH} AS "isFresh",
       coalesce(o.has_plain_questions, false) AS "hasPlainQuestions"
     FROM unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS a (hash, org, at)
     JOIN web_sessions s ON s.token_hash = a.hash AND s.expires_at > now()
     JOIN users u ON u.id = s.user_id
     LEFT JOIN memberships m ON m.user_id = u.id AND m.org_id = COALESCE(a.org, u.last_org_id,
       (SELECT first.org_id FROM memberships first WHERE first.user_id = u.id
        ORDER BY first.joined_at, first.org_id LIMIT 1))
     LEFT JOIN orgs o ON o.id = m.org_id`,
    [lookups.map(({ hash }) => hash), lookups.map(({ org }) => org ?? null)],
  );
  const byPlace = new Map(rows.map((row) => [row.at, row]));
  return lookups.map((_, at) => byPlace.get(at + 1));
}

/** Extends the session, at most once a minute. */
export async function touchSession(db: Queryable, sessionId: string): Promise<void> {
  await db.query(
    `UPDATE web_sessions SET last_seen_at = now(), expires_at = now() + ${LIFE}
     WHERE id = $1 AND last_seen_at <= now() - interval '1 minute' AND expires_at > now()`,
    [sessionId],
  );
}

const SET_LAST_ORG =
  'UPDATE users SET last_org_id = $2 WHERE id = $1 AND last_org_id IS DISTINCT FROM $2';

export async function setLastOrg(db: Queryable, userId: string, orgId: string): Promise<void> {
  await db.query(SET_LAST_ORG, [userId, orgId]);
}

export function setLastOrgAtCommit(tx: Transaction, userId: string, orgId: string): void {
  tx.atCommit(SET_LAST_ORG, [userId, orgId]);
}

export interface NewSession {
  id: string;
  tokenHash: Buffer;
  userId: string;
  openedByLink: boolean;
  userAgent: string;
}

export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  const { id, tokenHash, userId, openedByLink, userAgent } = session;
  await db.query(
    `INSERT INTO web_sessions (id, token_hash, user_id, opened_by_link, user_agent, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + ${LIFE})`,
    [id, tokenHash, userId, openedByLink, userAgent],
  );
}

export interface WebSessionRow {
  id: string;
  userAgent: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
}

export function listSessions(db: Queryable, userId: string): Promise<WebSessionRow[]> {
  return db.query<WebSessionRow>(
    `SELECT id, user_agent AS "userAgent", created_at AS "createdAt", last_seen_at AS "lastSeenAt",
       expires_at AS "expiresAt"
     FROM web_sessions WHERE user_id = $1 AND expires_at > now()
     ORDER BY last_seen_at DESC, created_at DESC, id`,
    [userId],
  );
}

/** Whether an emailed link opened the session within the last 10 minutes. */
export async function isFreshFromLink(db: Queryable, sessionId: string | null): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 AS fresh FROM web_sessions
     WHERE id = $1 AND opened_by_link AND created_at > now() - interval '10 minutes'`,
    [sessionId],
  );
  return rows.length === 1;
}

/** From now on, what asks for a fresh sign-in works for a while. */
export async function noteConfirmed(db: Queryable, sessionId: string | null): Promise<void> {
  await db.query('UPDATE web_sessions SET confirmed_at = now() WHERE id = $1', [sessionId]);
}

/** True at most once a day: then the browser gets the cookie again, for another 30 days. */
export async function noteCookieSent(db: Queryable, sessionId: string | null): Promise<boolean> {
  const rows = await db.query(
    `UPDATE web_sessions SET cookie_sent_at = now()
     WHERE id = $1 AND coalesce(cookie_sent_at, created_at) <= now() - interval '1 day'
     RETURNING 1 AS due`,
    [sessionId],
  );
  return rows.length === 1;
}

/** False if the person has no such session. */
export async function deleteSession(
  db: Queryable,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const rows = await db.query(
    'DELETE FROM web_sessions WHERE user_id = $1 AND id = $2 RETURNING 1 AS ended',
    [userId, sessionId],
  );
  return rows.length === 1;
}

export async function deleteOtherSessions(
  db: Queryable,
  userId: string,
  sessionId: string | null,
): Promise<void> {
  await db.query('DELETE FROM web_sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2', [
    userId,
    sessionId,
  ]);
}

export async function deleteAllSessions(db: Queryable, userId: string): Promise<void> {
  await db.query('DELETE FROM web_sessions WHERE user_id = $1', [userId]);
}

export function purgeSessions(db: Queryable): Promise<number> {
  return purgeInBatches(
    db,
    `DELETE FROM web_sessions WHERE id = ANY (ARRAY(
       SELECT id FROM web_sessions WHERE expires_at <= now() LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING 1 AS purged`,
  );
}
