import type { Context, Role } from '../../core/context.ts';
import type { Queryable, SharedReader, Transaction } from '../../db/types.ts';
import { IS_LIVE_KEY } from '../../access/live-key.ts';
import type { KeyFamily } from './secret.ts';

/** Whose keys a query is about: a person's in the org, or the org's own (v1) if `userId` is null. */
export interface KeyOwner {
  orgId: string;
  userId: string | null;
}

export interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export interface CallerRow {
  secretHash: Buffer;
  keyId: string;
  orgId: string;
  userId: string | null;
  email: string | null;
  role: Role | null;
  scopes: string[];
  lastUsedAt: Date | null;
  hasPlainQuestions: boolean;
}

const KEY_COLUMNS = `id, name, prefix, scopes, created_at AS "createdAt", last_used_at AS "lastUsedAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt"`;

/** Live keys with their person's role: one indexed lookup. */
export function findCallers(db: SharedReader, hashes: readonly Buffer[]): Promise<CallerRow[]> {
  return db.sharedRead<CallerRow>(
    `SELECT k.secret_hash AS "secretHash", k.id AS "keyId", k.org_id AS "orgId", k.user_id AS "userId",
       u.email, m.role, k.scopes, k.last_used_at AS "lastUsedAt",
       o.has_plain_questions AS "hasPlainQuestions"
     FROM api_keys k JOIN orgs o ON o.id = k.org_id
     LEFT JOIN memberships m ON m.org_id = k.org_id AND m.user_id = k.user_id
     LEFT JOIN users u ON u.id = m.user_id
     WHERE k.secret_hash = ANY ($1::bytea[]) AND ${IS_LIVE_KEY}
       AND (k.user_id IS NULL) = (m.user_id IS NULL)`,
    [hashes],
  );
}

export async function touchKey(db: Queryable, keyId: string): Promise<void> {
  await db.query(
    `UPDATE api_keys SET last_used_at = now()
     WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')`,
    [keyId],
  );
}

export function listKeys(db: Queryable, owner: KeyOwner): Promise<KeyRow[]> {
  return db.query<KeyRow>(
    `SELECT ${KEY_COLUMNS} FROM api_keys
     WHERE org_id = $1 AND user_id IS NOT DISTINCT FROM $2 ORDER BY position DESC`,
    [owner.orgId, owner.userId],
  );
}

/** Serialises key creation per org, so that concurrent requests can't exceed the limit. */
export async function lockKeysOf(tx: Transaction, orgId: string): Promise<void> {
  // FOR NO KEY UPDATE still lets others insert rows that refer to the org.
  await tx.query('SELECT id FROM orgs WHERE id = $1 FOR NO KEY UPDATE', [orgId]);
}

export async function countLiveKeys(db: Queryable, owner: KeyOwner): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*) FROM api_keys k
     WHERE k.org_id = $1 AND k.user_id IS NOT DISTINCT FROM $2 AND ${IS_LIVE_KEY}`,
    [owner.orgId, owner.userId],
  );
  return row?.count ?? 0;
}

export interface NewKey extends Pick<KeyRow, 'id' | 'name' | 'prefix'> {
  family: KeyFamily;
  scopes: readonly string[];
  hash: Buffer;
  createdById: string | null;
}

export async function insertKey(db: Queryable, owner: KeyOwner, key: NewKey): Promise<KeyRow> {
  const { id, family, name, prefix, scopes, hash, createdById } = key;
  const [row] = await db.query<KeyRow>(
    `INSERT INTO api_keys (id, family, org_id, user_id, name, prefix, scopes, secret_hash, created_by_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${KEY_COLUMNS}`,
    [id, family, owner.orgId, owner.userId, name, prefix, scopes, hash, createdById],
  );
  return row as KeyRow;
}

export async function findKey(db: Queryable, owner: KeyOwner, keyId: string) {
  const [row] = await db.query<KeyRow>(
    `SELECT ${KEY_COLUMNS} FROM api_keys
     WHERE id = $3 AND org_id = $1 AND user_id IS NOT DISTINCT FROM $2`,
    [owner.orgId, owner.userId, keyId],
  );
  return row;
}

/** Undefined if the key does not exist or is already revoked: the first revocation time stays. */
export async function revokeKey(db: Queryable, owner: KeyOwner, keyId: string) {
  const [row] = await db.query<KeyRow>(
    `UPDATE api_keys SET revoked_at = now()
     WHERE id = $3 AND org_id = $1 AND user_id IS NOT DISTINCT FROM $2 AND revoked_at IS NULL
     RETURNING ${KEY_COLUMNS}`,
    [owner.orgId, owner.userId, keyId],
  );
  return row;
}

/** All of the org's own keys, when nobody is left who could revoke them. */
export async function revokeOrgKeys({ db, orgId }: Pick<Context, 'db' | 'orgId'>): Promise<void> {
  await db.query(
    `UPDATE api_keys SET revoked_at = now()
     WHERE org_id = $1 AND user_id IS NULL AND revoked_at IS NULL`,
    [orgId],
  );
}

/** A key that was revoked for its person's safety, to tell them which. */
export interface RevokedKey extends Pick<KeyRow, 'id' | 'name' | 'prefix'> {
  orgId: string;
  family: KeyFamily;
}

const REVOKED_COLUMNS = 'id, org_id AS "orgId", family, name, prefix';

/** In every org. A person has live keys only where they are a member. */
export async function revokeKeysOfPerson(db: Queryable, userId: string): Promise<RevokedKey[]> {
  const orgs = await db.query<{ orgId: string }>(
    'SELECT org_id AS "orgId" FROM memberships WHERE user_id = $1',
    [userId],
  );
  return db.query<RevokedKey>(
    `UPDATE api_keys k SET revoked_at = now()
     WHERE k.org_id = ANY ($1::text[]) AND k.user_id = $2 AND ${IS_LIVE_KEY}
     RETURNING ${REVOKED_COLUMNS}`,
    [orgs.map(({ orgId }) => orgId), userId],
  );
}

/** The person's own keys, and those of any org that they, or keys of theirs, created since then. */
export function revokeKeysMadeSince(db: Queryable, userId: string, since: Date) {
  return db.query<RevokedKey>(
    `UPDATE api_keys k SET revoked_at = now()
     WHERE (k.user_id = $1 OR k.created_by_id = $1) AND k.created_at >= $2 AND ${IS_LIVE_KEY}
     RETURNING ${REVOKED_COLUMNS}`,
    [userId, since],
  );
}

export async function countKeysOfPerson(db: Queryable, userId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*) FROM api_keys k JOIN memberships m ON m.org_id = k.org_id AND m.user_id = k.user_id
     WHERE m.user_id = $1 AND ${IS_LIVE_KEY}`,
    [userId],
  );
  return row?.count ?? 0;
}

/** Whoever revokes all keys of the person locks them first, and is waited for here. */
export async function lockKeyOwner(tx: Transaction, userId: string): Promise<void> {
  await tx.query('SELECT id FROM users WHERE id = $1 FOR KEY SHARE', [userId]);
}

export async function isLiveKey(db: Queryable, keyId: string): Promise<boolean> {
  const rows = await db.query(
    `SELECT 1 AS live FROM api_keys k WHERE k.id = $1 AND ${IS_LIVE_KEY}`,
    [keyId],
  );
  return rows.length === 1;
}

/**
 * Works once: a key that is revoked or already expires is not found. The time is truncated because the
 * column would round it up, and a key without a grace period would still be live in this transaction.
 */
export async function expireKey(db: Queryable, owner: KeyOwner, keyId: string, seconds: number) {
  const [row] = await db.query<KeyRow>(
    `UPDATE api_keys SET expires_at = date_trunc('milliseconds', now()) + make_interval(secs => $4)
     WHERE id = $3 AND org_id = $1 AND user_id IS NOT DISTINCT FROM $2
       AND revoked_at IS NULL AND expires_at IS NULL RETURNING ${KEY_COLUMNS}`,
    [owner.orgId, owner.userId, keyId, seconds],
  );
  return row;
}
