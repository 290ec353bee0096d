import type { Queryable } from '../../../db/database.ts';

export type LinkPurpose = 'sign-in' | 'email-change';

export interface LinkRow {
  id: string;
  purpose: LinkPurpose;
  tokenHash: Buffer;
  email: string;
  emailKey: string;
  userId: string | null;
  previousEmail: string | null;
  returnTo: string | null;
  expiresAt: Date;
  usedAt: Date | null;
}

const LINK_COLUMNS = `id, purpose, token_hash AS "tokenHash", email, email_key AS "emailKey", user_id AS "userId",
  previous_email AS "previousEmail", return_to AS "returnTo", expires_at AS "expiresAt",
  used_at AS "usedAt"`;

export interface NewLink {
  id: string;
  purpose: LinkPurpose;
  tokenHash: Buffer;
  email: string;
  emailKey: string;
  userId: string | null;
  returnTo: string | null;
  lifeMinutes: number;
}

export async function insertLink(db: Queryable, link: NewLink): Promise<void> {
  await db.query(
    `INSERT INTO sign_in_links (id, purpose, token_hash, email, email_key, user_id, return_to, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(mins => $8))`,
    [
      link.id,
      link.purpose,
      link.tokenHash,
      link.email,
      link.emailKey,
      link.userId,
      link.returnTo,
      link.lifeMinutes,
    ],
  );
}

/** Uses the link up, once; undefined when there is none, or it was used or has expired. */
export async function useLink(
  db: Queryable,
  purpose: LinkPurpose,
  tokenHash: Buffer,
  userId: string | null,
): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>(
    `UPDATE sign_in_links SET used_at = now()
     WHERE token_hash = $1 AND purpose = $2 AND user_id IS NOT DISTINCT FROM $3
       AND used_at IS NULL AND expires_at > now()
     RETURNING ${LINK_COLUMNS}`,
    [tokenHash, purpose, userId],
  );
  return row;
}

/** To say why it could not be used. */
export async function findLinkByToken(
  db: Queryable,
  purpose: LinkPurpose,
  tokenHash: Buffer,
  userId: string | null,
): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>(
    `SELECT ${LINK_COLUMNS} FROM sign_in_links
     WHERE token_hash = $1 AND purpose = $2 AND user_id IS NOT DISTINCT FROM $3`,
    [tokenHash, purpose, userId],
  );
  return row;
}

/** For its mail. `isTaken`: somebody has the address by now. */
export async function findLink(
  db: Queryable,
  id: string,
): Promise<(LinkRow & { isOpen: boolean; holderId: string | null }) | undefined> {
  const [row] = await db.query<LinkRow & { isOpen: boolean; holderId: string | null }>(
    `SELECT ${LINK_COLUMNS}, used_at IS NULL AND expires_at > now() AS "isOpen",
       (SELECT u.id FROM users u WHERE u.email_key = l.email_key) AS "holderId"
     FROM sign_in_links l WHERE id = $1`,
    [id],
  );
  return row;
}

export async function notePreviousEmail(db: Queryable, id: string, email: string): Promise<void> {
  await db.query('UPDATE sign_in_links SET previous_email = $2 WHERE id = $1', [id, email]);
}

export async function findPassword(
  db: Queryable,
  emailKey: string,
): Promise<{ userId: string; passwordHash: string | null } | undefined> {
  const [row] = await db.query<{ userId: string; passwordHash: string | null }>(
    'SELECT id AS "userId", password_hash AS "passwordHash" FROM users WHERE email_key = $1',
    [emailKey],
  );
  return row;
}

const PURGE_BATCH = 5_000;

/** A week after its end a link is forgotten; until then it says why it does not work. */
export async function purgeLinks(db: Queryable): Promise<number> {
  let purged = 0;
  for (;;) {
    const rows = await db.query(
      `DELETE FROM sign_in_links WHERE id = ANY (ARRAY(
         SELECT id FROM sign_in_links WHERE expires_at <= now() - interval '7 days'
         LIMIT $1 FOR UPDATE SKIP LOCKED))
       RETURNING 1 AS purged`,
      [PURGE_BATCH],
    );
    purged += rows.length;
    if (rows.length < PURGE_BATCH) return purged;
  }
}
