import type { Role } from '../../context.ts';
import type { Queryable } from '../../db/database.ts';

export interface UserRow {
  id: string;
  email: string;
  name: string;
}

export async function insertOrg(db: Queryable, id: string, name: string): Promise<void> {
  await db.query('INSERT INTO orgs (id, name) VALUES ($1, $2)', [id, name]);
}

export async function findOrgName(db: Queryable, orgId: string): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>('SELECT name FROM orgs WHERE id = $1', [orgId]);
  return row?.name;
}

export async function findProfile(
  db: Queryable,
  orgId: string,
  userId: string,
): Promise<{ name: string; orgName: string } | undefined> {
  const [row] = await db.query<{ name: string; orgName: string }>(
    `SELECT u.name, o.name AS "orgName" FROM memberships m
     JOIN users u ON u.id = m.user_id JOIN orgs o ON o.id = m.org_id
     WHERE m.org_id = $1 AND m.user_id = $2`,
    [orgId, userId],
  );
  return row;
}

export async function hasAnyOrg(db: Queryable): Promise<boolean> {
  const rows = await db.query('SELECT 1 AS found FROM orgs LIMIT 1');
  return rows.length > 0;
}

/** The person with this address, made if there is none; safe against another process doing the same. */
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

export async function findUserByEmail(
  db: Queryable,
  emailKey: string,
): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>('SELECT id, email, name FROM users WHERE email_key = $1', [
    emailKey,
  ]);
  return row;
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

/** False when the person is a member already, whatever the role. */
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
