import { purgeInBatches } from '../../db/purge.ts';
import type { Queryable, Transaction } from '../../db/types.ts';

/** Identifies an idempotent request: the org, and a hash of caller, method, path and key. */
export interface Scope {
  orgId: string;
  hash: Buffer;
}

export interface StoredRequest {
  bodyHash: Buffer;
  claimId: string;
  status: number | null;
  sealedResponse: Buffer | null;
  leaseIsLive: boolean;
}

/**
 * Tries to take the request's lock without waiting, then looks up the request. The lookup is a separate
 * statement, so that its snapshot includes what the lock's last holder committed.
 */
export async function lockAndFind(
  tx: Transaction,
  scope: Scope,
): Promise<{ locked: boolean; found: StoredRequest | undefined }> {
  const [[lock], [found]] = await Promise.all([
    tx.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
      scope.hash.readBigInt64BE(0),
    ]),
    tx.query<StoredRequest>(
      `SELECT body_hash AS "bodyHash", claim_id AS "claimId", status,
         sealed_response AS "sealedResponse",
         lease_expires_at IS NOT NULL AND lease_expires_at > now() AS "leaseIsLive"
       FROM idempotency_keys
       WHERE org_id = $1 AND scope_hash = $2 AND created_at > now() - interval '24 hours'`,
      [scope.orgId, scope.hash],
    ),
  ]);
  return { locked: lock?.locked === true, found };
}

export interface FinishedRequest {
  scope: Scope;
  bodyHash: Buffer;
  claimId: string;
  status: number;
  sealedResponse: Buffer;
}

/** Stores the response in the transaction's commit. The lock is held, so any row it replaces has expired. */
export function recordAtCommit(tx: Transaction, request: FinishedRequest): void {
  const { scope, bodyHash, claimId, status, sealedResponse } = request;
  tx.atCommit(
    `INSERT INTO idempotency_keys (org_id, scope_hash, body_hash, claim_id, status, sealed_response)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (org_id, scope_hash) DO UPDATE SET body_hash = excluded.body_hash,
       claim_id = excluded.claim_id, status = excluded.status, created_at = now(),
       sealed_response = excluded.sealed_response, lease_token = NULL, lease_expires_at = NULL`,
    [scope.orgId, scope.hash, bodyHash, claimId, status, sealedResponse],
  );
}

export interface Lease {
  scope: Scope;
  bodyHash: Buffer;
  claimId: string;
  token: string;
}

/** Records, before an outside call, who makes it and how long others must wait. */
export async function saveLease(tx: Transaction, lease: Lease, seconds: number): Promise<void> {
  await tx.query(
    `INSERT INTO idempotency_keys (org_id, scope_hash, body_hash, claim_id, lease_token, lease_expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
     ON CONFLICT (org_id, scope_hash) DO UPDATE SET body_hash = excluded.body_hash,
       claim_id = excluded.claim_id, lease_token = excluded.lease_token,
       lease_expires_at = excluded.lease_expires_at, status = NULL, sealed_response = NULL,
       created_at = CASE WHEN idempotency_keys.claim_id = excluded.claim_id
         THEN idempotency_keys.created_at ELSE now() END`,
    [lease.scope.orgId, lease.scope.hash, lease.bodyHash, lease.claimId, lease.token, seconds],
  );
}

/** Replaces the lease by the response; false if the lease expired and another process took over. */
export async function finishLease(
  db: Queryable,
  lease: Lease,
  status: number,
  sealedResponse: Buffer,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE idempotency_keys
     SET status = $4, sealed_response = $5, lease_token = NULL, lease_expires_at = NULL
     WHERE org_id = $1 AND scope_hash = $2 AND lease_token = $3 RETURNING 1 AS finished`,
    [lease.scope.orgId, lease.scope.hash, lease.token, status, sealedResponse],
  );
  return rows.length === 1;
}

/** Lets a repetition run at once, with the same claim id, because the provider may have done its part. */
export async function endLease(db: Queryable, lease: Lease): Promise<void> {
  await db.query(
    `UPDATE idempotency_keys SET lease_expires_at = now()
     WHERE org_id = $1 AND scope_hash = $2 AND lease_token = $3`,
    [lease.scope.orgId, lease.scope.hash, lease.token],
  );
}

/** A stored response is kept for 24 hours. */
export function purgeExpired(db: Queryable): Promise<number> {
  return purgeInBatches(
    db,
    `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM idempotency_keys
       WHERE created_at <= now() - interval '24 hours' LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING 1 AS purged`,
  );
}
