import type { Role } from '../../core/context.ts';
import { emailKey } from '../../core/email.ts';
import type { ProfileRow } from '../../core/profile.ts';
import type { Queryable } from '../../db/types.ts';
import { isViolation } from '../../db/transactions/violations.ts';
import type { EmailChoice } from './email-choices.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
}

interface PersonRow extends UserRow, Pick<ProfileRow, 'photoHash' | 'timeZone'> {
  hasPassword: boolean;
  lastOrgId: string | null;
}

interface SettingsRow extends Omit<ProfileRow, 'photoHash' | 'timeZone'> {
  handle: string | null;
  emailNotifications: EmailChoice;
}

export async function findOrgName(db: Queryable, orgId: string): Promise<string | undefined> {
  const [row] = await db.sharedRead<{ name: string }>('SELECT name FROM orgs WHERE id = $1', [
    orgId,
  ]);
  return row?.name;
}

export async function findOrgNames(
  db: Queryable,
  orgIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(
    'SELECT id, name FROM orgs WHERE id = ANY ($1::text[])',
    [orgIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Finds or creates the person with this address. Safe to run concurrently. */
export async function upsertUser(db: Queryable, { id, email, name }: UserRow): Promise<UserRow> {
  const [row] = await db.query<UserRow>(
    `INSERT INTO users (id, email, email_key, name) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email_key) DO UPDATE SET email_key = excluded.email_key
     RETURNING id, email, name`,
    [id, email, emailKey(email), name],
  );
  return row as UserRow;
}

/** Undefined if the address is taken. */
export async function insertUser(db: Queryable, { id, email, name }: UserRow) {
  const [row] = await db.query<UserRow>(
    `INSERT INTO users (id, email, email_key, name) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email_key) DO NOTHING RETURNING id, email, name`,
    [id, email, emailKey(email), name],
  );
  return row;
}

export async function findPersonByEmail(db: Queryable, email: string) {
  const [row] = await db.query<UserRow>('SELECT id, email, name FROM users WHERE email_key = $1', [
    emailKey(email),
  ]);
  return row;
}

export async function findPerson(db: Queryable, userId: string) {
  const [row] = await db.sharedRead<PersonRow>(
    `SELECT id, email, name, password_hash IS NOT NULL AS "hasPassword", last_org_id AS "lastOrgId",
       photo_hash AS "photoHash", time_zone AS "timeZone"
     FROM users WHERE id = $1`,
    [userId],
  );
  return row;
}

/** What a person has chosen for themselves in an org. */
export async function findOwnSettings(db: Queryable, orgId: string, userId: string) {
  const [row] = await db.sharedRead<SettingsRow>(
    `SELECT handle, email_notifications AS "emailNotifications", title, status_emoji AS "statusEmoji",
       status_text AS "statusText", status_until AS "statusUntil" FROM memberships
     WHERE org_id = $1 AND user_id = $2`,
    [orgId, userId],
  );
  return row;
}

export async function updateEmailNotifications(
  db: Queryable,
  orgId: string,
  userId: string,
  choice: EmailChoice,
): Promise<void> {
  await db.query(
    'UPDATE memberships SET email_notifications = $3 WHERE org_id = $1 AND user_id = $2',
    [orgId, userId, choice],
  );
}

/** False if it is the same already. */
export async function updateTitle(
  db: Queryable,
  orgId: string,
  userId: string,
  title: string | null,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE memberships SET title = $3
     WHERE org_id = $1 AND user_id = $2 AND title IS DISTINCT FROM $3 RETURNING 1 AS changed`,
    [orgId, userId, title],
  );
  return rows.length === 1;
}

interface StatusRow {
  emoji?: string | undefined;
  text: string;
  until?: Date | undefined;
}

export async function updateStatus(
  db: Queryable,
  orgId: string,
  userId: string,
  status: StatusRow | null,
): Promise<void> {
  await db.query(
    `UPDATE memberships SET status_emoji = $3, status_text = $4, status_until = $5
     WHERE org_id = $1 AND user_id = $2`,
    [orgId, userId, status?.emoji ?? null, status?.text ?? null, status?.until ?? null],
  );
}

/** Nobody sees them any more. Looked for first: on Citus, any UPDATE locks all memberships, even of no row. */
export async function purgeStatuses(db: Queryable): Promise<number> {
  const ended = await db.query(
    '/* all orgs */ SELECT 1 AS found FROM memberships WHERE status_until < now() LIMIT 1',
  );
  if (ended.length === 0) return 0;
  const rows = await db.query(
    `/* all orgs */ UPDATE memberships SET status_emoji = NULL, status_text = NULL, status_until = NULL
     WHERE status_until < now() RETURNING 1 AS ended`,
  );
  return rows.length;
}

/** False if it is the same already. */
export async function updateTimeZone(
  db: Queryable,
  userId: string,
  timeZone: string | null,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE users SET time_zone = $2
     WHERE id = $1 AND time_zone IS DISTINCT FROM $2 RETURNING 1 AS changed`,
    [userId, timeZone],
  );
  return rows.length === 1;
}

/** In the order the person joined them. */
export function listOrgsOf(db: Queryable, userId: string) {
  return db.query<{ id: string; name: string; role: Role }>(
    `SELECT o.id, o.name, m.role FROM memberships m JOIN orgs o ON o.id = m.org_id
     WHERE m.user_id = $1 ORDER BY m.joined_at, o.id`,
    [userId],
  );
}

export async function updateName(db: Queryable, userId: string, name: string): Promise<void> {
  await db.query('UPDATE users SET name = $2 WHERE id = $1 AND deleted_at IS NULL', [userId, name]);
}

export async function findPasswordHash(db: Queryable, userId: string): Promise<string | null> {
  const [row] = await db.query<{ hash: string | null }>(
    'SELECT password_hash AS hash FROM users WHERE id = $1',
    [userId],
  );
  return row?.hash ?? null;
}

export async function updatePassword(db: Queryable, userId: string, hash: string): Promise<void> {
  await db.query('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, hash]);
}

/** Removes the password and the known browsers: whoever took over the account may have added both. */
export async function forgetSecrets(db: Queryable, userId: string): Promise<void> {
  await db.query(
    `UPDATE users SET password_hash = NULL, device_generation = device_generation + 1
     WHERE id = $1`,
    [userId],
  );
}

/** What refers to the person stays, by a former member. Their address can sign up again as someone else. */
export async function eraseUser(db: Queryable, userId: string): Promise<void> {
  await db.query(
    `UPDATE users SET name = 'Former member', email = '', email_key = 'deleted:' || id,
       password_hash = NULL, last_org_id = NULL, time_zone = NULL, device_generation = device_generation + 1,
       deleted_at = now()
     WHERE id = $1`,
    [userId],
  );
}

/** Locks the person until the transaction ends, so that changes run one after the other. */
export async function lockEmail(db: Queryable, userId: string): Promise<string> {
  const [row] = await db.query<{ email: string }>(
    'SELECT email FROM users WHERE id = $1 FOR UPDATE',
    [userId],
  );
  return row?.email ?? '';
}

/** False if someone else has the address. */
export async function updateEmail(db: Queryable, userId: string, email: string): Promise<boolean> {
  try {
    await db.query('UPDATE users SET email = $2, email_key = $3 WHERE id = $1', [
      userId,
      email,
      emailKey(email),
    ]);
    return true;
  } catch (error) {
    if (isViolation(error, 'emailTaken')) return false;
    throw error;
  }
}
