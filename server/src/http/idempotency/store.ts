import { purgeByTime } from '../../db/purge.ts';
import type { OuterTransaction, Queryable, SharedReader, Transaction } from '../../db/types.ts';
import { isViolation, sqlState } from '../../db/transactions/violations.ts';
import type { Sealed } from './sealing.ts';

/** Identifies an idempotent request: the org, and a hash of caller, method, path and key. */
export interface Scope {
  orgId: string;
  hash: Buffer;
}

export interface StoredRequest {
  bodyHash: Buffer;
  claimId: string;
  status: number | null;
  /** Empty if it is no longer kept. */
  sealedResponse: Buffer | null;
  isCompressed: boolean;
  leaseIsLive: boolean;
  /** A stored response is kept for 24 hours. After that it counts as absent. */
  hasExpired: boolean;
}

const FIND = `SELECT body_hash AS "bodyHash", claim_id AS "claimId", status,
    sealed_response AS "sealedResponse", is_compressed AS "isCompressed",
    lease_expires_at IS NOT NULL AND lease_expires_at > now() AS "leaseIsLive",
    created_at <= now() - interval '24 hours' AS "hasExpired"
  FROM idempotency_keys WHERE org_id = $1 AND scope_hash = $2`;

export async function findRequest(db: SharedReader, scope: Scope) {
  const [found] = await db.sharedRead<StoredRequest>(FIND, [scope.orgId, scope.hash]);
  return found;
}

/** Another process is running this request, or has just recorded its response. */
export class RequestTaken extends Error {}

/**
 * Takes the request's lock with BEGIN. If another transaction has it, this one fails at once, so that its
 * next statements don't wait for the other's.
 */
export function lockAtBegin(tx: OuterTransaction, scope: Scope): void {
  tx.atBegin('SELECT 1 / pg_try_advisory_xact_lock($1)::int AS locked', [lockOf(scope)], {
    explain: (error) => (sqlState(error) === DIVISION_BY_ZERO ? new RequestTaken() : undefined),
  });
}

const DIVISION_BY_ZERO = '22012';

function lockOf(scope: Scope): bigint {
  return scope.hash.readBigInt64BE(0);
}

/** Sees what the lock's last holder committed, because it is a statement of its own after the lock. */
export async function findLockedRequest(tx: Transaction, scope: Scope) {
  const [found] = await tx.query<StoredRequest>(FIND, [scope.orgId, scope.hash]);
  return found?.hasExpired ? undefined : found;
}

/** A response as it is stored. */
export interface KeptResponse extends Sealed {
  status: number;
  /** True for the response of a request that only reads. */
  isRead: boolean;
  /** Whose share it counts against, and how much; null for a small one. */
  counted: { callerId: string; bytes: number } | null;
}

export interface FinishedRequest extends KeptResponse {
  scope: Scope;
  bodyHash: Buffer;
  claimId: string;
}

/**
 * Claims the request and stores its response, in the transaction's commit. Fails if another one has done
 * so, by the primary key; and at once if another one is doing so, by the lock, so that it doesn't wait.
 */
export function recordAtCommit(tx: Transaction, request: FinishedRequest): void {
  const { scope, bodyHash, claimId, status, sealedResponse, isCompressed, isRead } = request;
  const { callerId = null, bytes = null } = request.counted ?? {};
  tx.atCommit(
    `INSERT INTO idempotency_keys (org_id, scope_hash, body_hash, claim_id, status, sealed_response,
       is_compressed, is_read, caller_id, counted_bytes)
     VALUES ($1, CASE WHEN pg_try_advisory_xact_lock($7) THEN $2::bytea END, $3, $4, $5, $6, $8, $9, $10, $11)`,
    [
      scope.orgId,
      scope.hash,
      bodyHash,
      claimId,
      status,
      sealedResponse,
      lockOf(scope),
      isCompressed,
      isRead,
      callerId,
      bytes,
    ],
    {
      order: 'first',
      lock: '',
      explain: (error) =>
        isViolation(error, 'requestRunning') || isViolation(error, 'requestRecorded')
          ? new RequestTaken()
          : undefined,
    },
  );
}

/** Makes room for a new response. */
export async function deleteExpired(db: Queryable, { orgId, hash }: Scope): Promise<void> {
  await db.query(
    `DELETE FROM idempotency_keys
     WHERE org_id = $1 AND scope_hash = $2 AND created_at <= now() - interval '24 hours'`,
    [orgId, hash],
  );
}

export interface Lease {
  scope: Scope;
  bodyHash: Buffer;
  claimId: string;
  token: string;
}

/** Records, before an outside call, who makes it and how long others must wait. */
export function saveLeaseAtCommit(tx: Transaction, lease: Lease, seconds: number): void {
  tx.atCommit(
    `INSERT INTO idempotency_keys (org_id, scope_hash, body_hash, claim_id, lease_token, lease_expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
     ON CONFLICT (org_id, scope_hash) DO UPDATE SET body_hash = excluded.body_hash,
       claim_id = excluded.claim_id, lease_token = excluded.lease_token,
       lease_expires_at = excluded.lease_expires_at, status = NULL, sealed_response = NULL,
       is_compressed = false, caller_id = NULL, counted_bytes = NULL,
       created_at = CASE WHEN idempotency_keys.claim_id = excluded.claim_id
         THEN idempotency_keys.created_at ELSE excluded.created_at END`,
    [lease.scope.orgId, lease.scope.hash, lease.bodyHash, lease.claimId, lease.token, seconds],
  );
}

/** Replaces the lease by the response; false if the lease expired and another process took over. */
export async function finishLease(
  db: Queryable,
  { scope, token }: Lease,
  { status, sealedResponse, isCompressed, counted }: KeptResponse,
): Promise<boolean> {
  const { callerId = null, bytes = null } = counted ?? {};
  const rows = await db.query(
    `UPDATE idempotency_keys
     SET status = $4, sealed_response = $5, is_compressed = $6, caller_id = $7, counted_bytes = $8,
       lease_token = NULL, lease_expires_at = NULL
     WHERE org_id = $1 AND scope_hash = $2 AND lease_token = $3 RETURNING 1 AS finished`,
    [scope.orgId, scope.hash, token, status, sealedResponse, isCompressed, callerId, bytes],
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

/** A key or a web session, for which responses are kept. */
export interface StoringCaller {
  orgId: string;
  callerId: string;
}

/** What is kept for this caller, without small responses. */
export async function sumCounted(
  db: SharedReader,
  { orgId, callerId }: StoringCaller,
): Promise<number> {
  const [row] = await db.sharedRead<{ bytes: number }>(
    `SELECT coalesce(sum(counted_bytes), 0)::bigint AS bytes FROM idempotency_keys
     WHERE org_id = $1 AND caller_id = $2 AND counted_bytes IS NOT NULL`,
    [orgId, callerId],
  );
  return row?.bytes ?? 0;
}

/**
 * Keeps this many bytes of the caller's responses: those of requests that only read go first, then the
 * oldest. The claims stay, so that nothing is done twice.
 */
export async function dropResponses(
  db: Queryable,
  { orgId, callerId }: StoringCaller,
  keptBytes: number,
): Promise<void> {
  await db.transaction((tx) =>
    tx.query(
      `UPDATE idempotency_keys k SET sealed_response = '', is_compressed = false, counted_bytes = NULL
       FROM (SELECT scope_hash, sum(counted_bytes) OVER (ORDER BY is_read, created_at DESC, scope_hash) AS total
         FROM idempotency_keys WHERE org_id = $1 AND caller_id = $2 AND counted_bytes IS NOT NULL) kept
       WHERE k.org_id = $1 AND k.scope_hash = kept.scope_hash AND kept.total > $3`,
      [orgId, callerId, keptBytes],
    ),
  );
}

/** A stored response is kept for 24 hours. */
export function purgeExpired(db: Queryable): Promise<number> {
  return purgeByTime(db, { table: 'idempotency_keys', time: 'created_at', keep: '24 hours' });
}
