import type { Role } from '../../core/context.ts';
import type { Queryable } from '../../db/types.ts';
import { isViolation } from '../../db/transactions/violations.ts';
import type { EmailChoice } from './email-choices.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
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
export async function upsertUser(
  db: Queryable,
  user: UserRow & { emailKey: string },
): Promise<UserRow> {
  const [row] = await db.query<UserRow>(
    `INSERT INTO users (id, email, email_key, name) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email_key) DO UPDATE SET email_key = excluded.email_key
     RETURNING id, email, name`,
    [user.id, user.email, user.emailKey, user.name],
  );
  return row as UserRow;
}

/** Undefined if the address is taken. */
export async function insertUser(
  db: Queryable,
  user: UserRow & { emailKey: string },
): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>(
    `INSERT INTO users (id, email, email_key, name) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email_key) DO NOTHING RETURNING id, email, name`,
    [user.id, user.email, user.emailKey, user.name],
  );
  return row;
}

export async function findUserByEmail(
  db: Queryable,
  emailKey: string,
): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>('SELECT id, email, name FROM users WHERE email_key = $1', [
    emailKey,
  ]);
  return row;
}

export interface PersonRow extends UserRow {
  hasPassword: boolean;
  lastOrgId: string | null;
}

export async function findPerson(db: Queryable, userId: string): Promise<PersonRow | undefined> {
  const [row] = await db.sharedRead<PersonRow>(
    `SELECT id, email, name, password_hash IS NOT NULL AS "hasPassword", last_org_id AS "lastOrgId"
     FROM users WHERE id = $1`,
    [userId],
  );
  return row;
}

/** What a person has chosen for themselves in an org. */
export interface OwnSettings {
  handle: string | null;
  emailNotifications: EmailChoice;
}

export async function findOwnSettings(
  db: Queryable,
  orgId: string,
  userId: string,
): Promise<OwnSettings | undefined> {
  const [row] = await db.sharedRead<OwnSettings>(
    `SELECT handle, email_notifications AS "emailNotifications" FROM memberships
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

export interface OwnOrgRow {
  id: string;
  name: string;
  role: Role;
}

/** In the order the person joined them. */
export function listOrgsOf(db: Queryable, userId: string): Promise<OwnOrgRow[]> {
  return db.query<OwnOrgRow>(
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
       password_hash = NULL, last_org_id = NULL, device_generation = device_generation + 1,
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
export async function updateEmail(
  db: Queryable,
  userId: string,
  email: string,
  emailKey: string,
): Promise<boolean> {
  try {
    await db.query('UPDATE users SET email = $2, email_key = $3 WHERE id = $1', [
      userId,
      email,
      emailKey,
    ]);
    return true;
  } catch (error) {
    if (isViolation(error, 'emailTaken')) return false;
    throw error;
  }
}
