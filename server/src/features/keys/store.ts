import type { Role } from '../../context.ts';
import type { Queryable, Transaction } from '../../db/types.ts';
import type { KeyFamily } from './secret.ts';

/** Whose keys a query is about: one person's in the org, or (v1) the org's own. */
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
}

const KEY_COLUMNS = `id, name, prefix, scopes, created_at AS "createdAt", last_used_at AS "lastUsedAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt"`;

/** Of a key `k`: one that requests may come with. */
const IS_LIVE = 'k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())';

/** Keys that are good now, with the standing of the people behind them: one indexed look-up. */
export function findCallers(db: Queryable, hashes: readonly Buffer[]): Promise<CallerRow[]> {
  return db.sharedRead<CallerRow>(
    `SELECT k.secret_hash AS "secretHash", k.id AS "keyId", k.org_id AS "orgId", k.user_id AS "userId",
       u.email, m.role, k.scopes, k.last_used_at AS "lastUsedAt"
     FROM api_keys k
     LEFT JOIN memberships m ON m.org_id = k.org_id AND m.user_id = k.user_id
     LEFT JOIN users u ON u.id = m.user_id
     WHERE k.secret_hash = ANY ($1::bytea[]) AND ${IS_LIVE}
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

/** Those who make keys of an org take turns, so that each counts the keys of the one before. */
export async function lockKeysOf(tx: Transaction, orgId: string): Promise<void> {
  // Not FOR UPDATE: rows that refer to the org can still be written meanwhile.
  await tx.query('SELECT id FROM orgs WHERE id = $1 FOR NO KEY UPDATE', [orgId]);
}

export async function countLiveKeys(db: Queryable, owner: KeyOwner): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*) FROM api_keys k
     WHERE k.org_id = $1 AND k.user_id IS NOT DISTINCT FROM $2 AND ${IS_LIVE}`,
    [owner.orgId, owner.userId],
  );
  return row?.count ?? 0;
}

export interface NewKey {
  id: string;
  family: KeyFamily;
  name: string;
  prefix: string;
  scopes: readonly string[];
  hash: Buffer;
  createdById: string | null;
}

export async function insertKey(db: Queryable, owner: KeyOwner, key: NewKey): Promise<KeyRow> {
  const [row] = await db.query<KeyRow>(
    `INSERT INTO api_keys (id, family, org_id, user_id, name, prefix, scopes, secret_hash, created_by_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${KEY_COLUMNS}`,
    [
      key.id,
      key.family,
      owner.orgId,
      owner.userId,
      key.name,
      key.prefix,
      key.scopes,
      key.hash,
      key.createdById,
    ],
  );
  return row as KeyRow;
}

export async function findKey(
  db: Queryable,
  owner: KeyOwner,
  keyId: string,
): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(
    `SELECT ${KEY_COLUMNS} FROM api_keys
     WHERE id = $3 AND org_id = $1 AND user_id IS NOT DISTINCT FROM $2`,
    [owner.orgId, owner.userId, keyId],
  );
  return row;
}

/** Undefined when there is no such key, or it was revoked before: the first revocation's time stays. */
export async function revokeKey(
  db: Queryable,
  owner: KeyOwner,
  keyId: string,
): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(
    `UPDATE api_keys SET revoked_at = now()
     WHERE id = $3 AND org_id = $1 AND user_id IS NOT DISTINCT FROM $2 AND revoked_at IS NULL
     RETURNING ${KEY_COLUMNS}`,
    [owner.orgId, owner.userId, keyId],
  );
  return row;
}

/**
 * Gives a key its end, once: a key that is revoked or already has one is not found. Truncated, as the
 * column would round up, and a key without a grace period would still be live in this transaction.
 */
export async function expireKey(
  db: Queryable,
  owner: KeyOwner,
  keyId: string,
  seconds: number,
): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(
    `UPDATE api_keys SET expires_at = date_trunc('milliseconds', now()) + make_interval(secs => $4)
     WHERE id = $3 AND org_id = $1 AND user_id IS NOT DISTINCT FROM $2
       AND revoked_at IS NULL AND expires_at IS NULL RETURNING ${KEY_COLUMNS}`,
    [owner.orgId, owner.userId, keyId, seconds],
  );
  return row;
}
