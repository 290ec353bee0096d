import type { Role } from '../../core/context.ts';
import type { Queryable, Transaction } from '../../db/types.ts';
import { isViolation } from '../../db/transactions/violations.ts';
import type { EmailChoice } from './email-choices.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
}

export interface NewOrgRow {
  id: string;
  name: string;
  /** Null if an operator created it. */
  createdById: string | null;
  hasFreeCredits: boolean;
}

export async function insertOrg(db: Queryable, org: NewOrgRow): Promise<Date> {
  const [row] = await db.query<{ createdAt: Date }>(
    `INSERT INTO orgs (id, name, created_by_id, has_free_credits) VALUES ($1, $2, $3, $4)
     RETURNING created_at AS "createdAt"`,
    [org.id, org.name, org.createdById, org.hasFreeCredits],
  );
  return (row as { createdAt: Date }).createdAt;
}

/**
 * Locks the person until the transaction ends, so that concurrent requests can't exceed the limit. Undefined
 * if they have deleted their account.
 */
export async function countOrgsMadeBy(
  tx: Transaction,
  userId: string,
): Promise<number | undefined> {
  // FOR NO KEY UPDATE still lets others insert rows that refer to the person.
  const people = await tx.query(
    'SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
    [userId],
  );
  if (people.length === 0) return undefined;
  const [row] = await tx.query<{ count: number }>(
    'SELECT count(*) FROM orgs WHERE created_by_id = $1',
    [userId],
  );
  return row?.count ?? 0;
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

export async function findOrg(
  db: Queryable,
  orgId: string,
): Promise<{ id: string; name: string; createdAt: Date } | undefined> {
  const [row] = await db.query<{ id: string; name: string; createdAt: Date }>(
    'SELECT id, name, created_at AS "createdAt" FROM orgs WHERE id = $1',
    [orgId],
  );
  return row;
}

/** False if it already has this name. */
export async function updateOrgName(db: Queryable, orgId: string, name: string): Promise<boolean> {
  const rows = await db.query(
    'UPDATE orgs SET name = $2 WHERE id = $1 AND name <> $2 RETURNING 1 AS renamed',
    [orgId, name],
  );
  return rows.length === 1;
}

export async function hasAnyOrg(db: Queryable): Promise<boolean> {
  const rows = await db.query('SELECT 1 AS found FROM orgs LIMIT 1');
  return rows.length > 0;
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

export async function findRole(
  db: Queryable,
  orgId: string,
  userId: string,
): Promise<Role | undefined> {
  const [row] = await db.query<{ role: Role }>(
    'SELECT role FROM memberships WHERE org_id = $1 AND user_id = $2',
    [orgId, userId],
  );
  return row?.role;
}

/** False if the person is already a member, in any role. */
export async function insertMembership(
  db: Queryable,
  orgId: string,
  userId: string,
  role: Role,
): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO memberships (org_id, user_id, role) VALUES ($1, $2, $3)
     ON CONFLICT (org_id, user_id) DO NOTHING RETURNING 1 AS inserted`,
    [orgId, userId, role],
  );
  return rows.length === 1;
}
