import type { Context, Role } from '../../core/context.ts';
import type { ProfileRow } from '../../core/profile.ts';
import type { Queryable, Transaction } from '../../db/types.ts';

export interface MemberRow extends ProfileRow {
  userId: string;
  email: string;
  name: string;
  /** Null if a process of an older version added them, until they get one. */
  handle: string | null;
  role: Role;
  joinedAt: Date;
}

type OrgContext = Pick<Context, 'db' | 'orgId'>;

const MEMBERS = `SELECT m.user_id AS "userId", u.email, u.name, m.handle, m.role, m.joined_at AS "joinedAt",
    m.title, m.status_emoji AS "statusEmoji", m.status_text AS "statusText",
    m.status_until AS "statusUntil", u.time_zone AS "timeZone", u.photo_hash AS "photoHash"
  FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.org_id = $1`;

export interface OrgRow {
  id: string;
  name: string;
  linkPreviews: boolean;
  createdAt: Date;
}

/** `createdById` is null if an operator created it. */
export async function insertOrg(
  db: Queryable,
  org: { id: string; name: string; createdById: string | null; hasFreeCredits: boolean },
): Promise<Date> {
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

export async function findOrg(db: Queryable, orgId: string): Promise<OrgRow | undefined> {
  const [row] = await db.query<OrgRow>(
    `SELECT id, name, link_previews AS "linkPreviews", created_at AS "createdAt" FROM orgs
     WHERE id = $1`,
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

/** False if it is the same already. */
export async function updateLinkPreviews(
  db: Queryable,
  orgId: string,
  isOn: boolean,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE orgs SET link_previews = $2 WHERE id = $1 AND link_previews <> $2 RETURNING 1 AS changed`,
    [orgId, isOn],
  );
  return rows.length === 1;
}

export async function hasAnyOrg(db: Queryable): Promise<boolean> {
  const rows = await db.query('SELECT 1 AS found FROM orgs LIMIT 1');
  return rows.length > 0;
}

export function listMembers(ctx: OrgContext): Promise<MemberRow[]> {
  return ctx.db.query<MemberRow>(`${MEMBERS} ORDER BY m.joined_at, u.email_key`, [ctx.orgId]);
}

export async function findMember(ctx: OrgContext, userId: string): Promise<MemberRow | undefined> {
  const [row] = await ctx.db.query<MemberRow>(`${MEMBERS} AND m.user_id = $2`, [ctx.orgId, userId]);
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

/**
 * The member, and how many OWNERs the org has. The OWNERs' rows stay locked until the transaction ends:
 * if two OWNERs leave at once, the second one waits and finds that it is the last.
 */
export async function lockMember(
  ctx: OrgContext,
  userId: string,
): Promise<{ member: MemberRow | undefined; owners: number }> {
  const owners = await ctx.db.query(
    `SELECT user_id FROM memberships WHERE org_id = $1 AND role = 'OWNER' ORDER BY user_id FOR UPDATE`,
    [ctx.orgId],
  );
  const [member] = await ctx.db.query<MemberRow>(`${MEMBERS} AND m.user_id = $2 FOR UPDATE OF m`, [
    ctx.orgId,
    userId,
  ]);
  return { member, owners: owners.length };
}

/** The member is locked: see `lockMember`. */
export async function updateRole(ctx: OrgContext, userId: string, role: Role): Promise<void> {
  await Promise.all([
    ctx.db.query(
      `UPDATE memberships SET promoted_at = now()
       WHERE org_id = $1 AND user_id = $2 AND role = 'MEMBER' AND $3::text <> 'MEMBER'`,
      [ctx.orgId, userId, role],
    ),
    ctx.db.query('UPDATE memberships SET role = $3 WHERE org_id = $1 AND user_id = $2', [
      ctx.orgId,
      userId,
      role,
    ]),
  ]);
}

/** Also revokes the person's keys for this org. Their PRIVATE memories are kept for 30 days. */
export async function deleteMember(ctx: OrgContext, userId: string): Promise<void> {
  await Promise.all([
    ctx.db.query('DELETE FROM memberships WHERE org_id = $1 AND user_id = $2', [ctx.orgId, userId]),
    ctx.db.query('DELETE FROM thread_marks WHERE org_id = $1 AND user_id = $2', [
      ctx.orgId,
      userId,
    ]),
    ctx.db.query(
      `UPDATE api_keys SET revoked_at = now()
       WHERE org_id = $1 AND user_id = $2 AND revoked_at IS NULL`,
      [ctx.orgId, userId],
    ),
    ctx.db.query(
      `INSERT INTO departures (org_id, user_id) VALUES ($1, $2)
       ON CONFLICT (org_id, user_id) DO UPDATE SET left_at = excluded.left_at`,
      [ctx.orgId, userId],
    ),
  ]);
}

/** The next purge erases the person's PRIVATE memories, wherever they were a member: they won't return. */
export async function expireDepartures(db: Queryable, userId: string): Promise<void> {
  await db.query(
    `/* all orgs */ UPDATE departures SET left_at = now() - interval '31 days' WHERE user_id = $1`,
    [userId],
  );
}

export async function hasOtherMembers(ctx: OrgContext, userId: string): Promise<boolean> {
  const rows = await ctx.db.query(
    'SELECT 1 AS found FROM memberships WHERE org_id = $1 AND user_id <> $2 LIMIT 1',
    [ctx.orgId, userId],
  );
  return rows.length > 0;
}

/** Undefined if the person is already a member. */
export async function insertMember(
  tx: Transaction,
  orgId: string,
  userId: string,
  role: Role,
): Promise<MemberRow | undefined> {
  const [joined, , [row]] = await Promise.all([
    tx.query(
      `INSERT INTO memberships (org_id, user_id, role) VALUES ($1, $2, $3)
       ON CONFLICT (org_id, user_id) DO NOTHING RETURNING 1 AS joined`,
      [orgId, userId, role],
    ),
    tx.query('DELETE FROM departures WHERE org_id = $1 AND user_id = $2', [orgId, userId]),
    tx.query<MemberRow>(`${MEMBERS} AND m.user_id = $2`, [orgId, userId]),
  ]);
  return joined.length === 1 ? row : undefined;
}
