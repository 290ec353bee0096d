import { emailKey } from '../../../core/email.ts';
import { purgeInBatches } from '../../../db/purge.ts';
import type { Queryable } from '../../../db/types.ts';

export type LinkPurpose = 'sign-in' | 'email-change';

export interface LinkRow {
  id: string;
  purpose: LinkPurpose;
  tokenHash: Buffer;
  email: string;
  userId: string | null;
  previousEmail: string | null;
  returnTo: string | null;
  expiresAt: Date;
  usedAt: Date | null;
}

const LINK_COLUMNS = `l.id, l.purpose, l.token_hash AS "tokenHash", l.email,
  l.user_id AS "userId", l.previous_email AS "previousEmail", l.return_to AS "returnTo",
  l.expires_at AS "expiresAt", l.used_at AS "usedAt"`;

export interface NewLink extends Pick<LinkRow, 'id' | 'purpose' | 'tokenHash' | 'email'> {
  userId?: string;
  returnTo?: string | undefined;
  lifeMinutes: number;
}

export async function insertLink(db: Queryable, link: NewLink): Promise<void> {
  const { id, purpose, tokenHash, email, userId, returnTo, lifeMinutes } = link;
  await db.query(
    `INSERT INTO sign_in_links (id, purpose, token_hash, email, email_key, user_id, return_to, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(mins => $8))`,
    [id, purpose, tokenHash, email, emailKey(email), userId, returnTo, lifeMinutes],
  );
}

/** Works once. Undefined if the link doesn't exist, was used or has expired. */
export async function useLink(
  db: Queryable,
  purpose: LinkPurpose,
  tokenHash: Buffer,
  userId: string | null,
): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>(
    `UPDATE sign_in_links l SET used_at = now()
     WHERE token_hash = $1 AND purpose = $2 AND user_id IS NOT DISTINCT FROM $3
       AND used_at IS NULL AND expires_at > now()
     RETURNING ${LINK_COLUMNS}`,
    [tokenHash, purpose, userId],
  );
  return row;
}

/** Finds out why a link can't be used. */
export async function findLinkByToken(
  db: Queryable,
  purpose: LinkPurpose,
  tokenHash: Buffer,
  userId: string | null,
): Promise<LinkRow | undefined> {
  const [row] = await db.query<LinkRow>(
    `SELECT ${LINK_COLUMNS} FROM sign_in_links l
     WHERE token_hash = $1 AND purpose = $2 AND user_id IS NOT DISTINCT FROM $3`,
    [tokenHash, purpose, userId],
  );
  return row;
}

export interface LinkToMail extends LinkRow {
  isOpen: boolean;
  /** The person with this address, and how their account spells it. */
  holderId: string | null;
  holderEmail: string | null;
}

export async function findLink(db: Queryable, id: string): Promise<LinkToMail | undefined> {
  const [row] = await db.query<LinkToMail>(
    `SELECT ${LINK_COLUMNS},
       l.used_at IS NULL AND l.expires_at > now() AS "isOpen",
       u.id AS "holderId", u.email AS "holderEmail"
     FROM sign_in_links l LEFT JOIN users u ON u.email_key = l.email_key WHERE l.id = $1`,
    [id],
  );
  return row;
}

/** Ends links that could still sign the person in or change their address. Ordered, to avoid deadlocks. */
export async function endLinks(
  db: Queryable,
  userId: string,
  emails: readonly string[],
): Promise<void> {
  await db.query(
    `UPDATE sign_in_links SET expires_at = now() WHERE id = ANY (ARRAY(
       SELECT id FROM sign_in_links
       WHERE (user_id = $1 OR email_key = ANY ($2::text[])) AND used_at IS NULL AND expires_at > now()
       ORDER BY id FOR UPDATE))`,
    [userId, emails.map(emailKey)],
  );
}

/** Every link to these addresses and of this person, used or not. Ordered, to avoid deadlocks. */
export async function eraseLinks(
  db: Queryable,
  userId: string,
  emails: readonly string[],
): Promise<void> {
  await db.query(
    `DELETE FROM sign_in_links WHERE id = ANY (ARRAY(
       SELECT id FROM sign_in_links WHERE user_id = $1 OR email_key = ANY ($2::text[])
       ORDER BY id FOR UPDATE))`,
    [userId, emails.map(emailKey)],
  );
}

/** For the email that is sent there. */
export async function notePreviousEmail(db: Queryable, id: string, email: string): Promise<void> {
  await db.query('UPDATE sign_in_links SET previous_email = $2 WHERE id = $1', [id, email]);
}

export async function findPassword(db: Queryable, email: string) {
  const [row] = await db.query<{ userId: string; passwordHash: string | null }>(
    'SELECT id AS "userId", password_hash AS "passwordHash" FROM users WHERE email_key = $1',
    [emailKey(email)],
  );
  return row;
}

export interface Credential {
  userId: string;
  email: string;
  /** The hash the password was checked against; null for a link. */
  passwordHash: string | null;
}

/**
 * Undefined if the address or password has changed since it was checked. Locks the person until the
 * transaction ends, so that undoing an address change either ends this session too or comes first.
 */
export async function holdPerson(
  db: Queryable,
  { userId, email, passwordHash }: Credential,
): Promise<DeviceOwner | undefined> {
  const [row] = await db.query<DeviceOwner>(
    `SELECT id AS "userId", device_generation AS generation FROM users
     WHERE id = $1 AND email_key = $2 AND ($3::text IS NULL OR password_hash = $3) FOR SHARE`,
    [userId, emailKey(email), passwordHash],
  );
  return row;
}

/** The person whose devices are known. A reset increments `generation`. */
export interface DeviceOwner {
  userId: string;
  generation: number;
}

export async function findDeviceOwner(
  db: Queryable,
  { userId, email }: { userId?: string; email?: string },
): Promise<DeviceOwner | undefined> {
  const [row] = await db.query<DeviceOwner>(
    `SELECT id AS "userId", device_generation AS generation FROM users
     WHERE id = $1 OR email_key = $2`,
    [userId, email === undefined ? undefined : emailKey(email)],
  );
  return row;
}

/** A week after its end a link is forgotten; until then it says why it does not work. */
export function purgeLinks(db: Queryable): Promise<number> {
  return purgeInBatches(
    db,
    `DELETE FROM sign_in_links WHERE id = ANY (ARRAY(
       SELECT id FROM sign_in_links WHERE expires_at <= now() - interval '7 days'
       LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING 1 AS purged`,
  );
}
