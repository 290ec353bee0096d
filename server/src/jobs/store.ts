import type { Queryable, Transaction } from '../db/types.ts';

export interface NewJob {
  kind: string;
  /** Only ids: the handler reads the rest, and a dead job keeps its payload for a month. */
  payload: object;
  /** By the database's clock, since those of processes may differ. */
  delayMs?: number;
  /** Instead of a delay: not before this time, by the database's clock. */
  runAt?: Date;
  /** Adds nothing if the same job is already waiting. A running one does not count: it may have read too early. */
  unlessQueued?: boolean;
  /** LANE_WIDTH jobs of a lane run at a time, and other lanes take turns with it. See `laneInShare`. */
  lane?: string;
}

/** Which kinds of jobs a worker runs. */
export interface Kinds {
  only?: readonly string[];
  except?: readonly string[];
}

/** One claim of one job. The token is different for every claim, even by the same worker. */
export interface Lease {
  id: number;
  token: string;
}

export interface ClaimedJob extends Lease {
  kind: string;
  payload: unknown;
  /** From 1. */
  attempt: number;
}

export interface DeadJob {
  id: number;
  kind: string;
  attempts: number;
  lastError: string | null;
  diedAt: Date;
}

/** How many jobs of a lane run at once, in all processes. Simultaneous claims may exceed it. */
const LANE_WIDTH = 4;
/** The same for all lanes of a share together. */
const SHARE_WIDTH = 8;

/** The time is truncated: the column would round it up, and the job would not be due at commit. */
export function insertJobAtCommit(tx: Transaction, job: NewJob): void {
  tx.atCommit(
    `INSERT INTO jobs (kind, payload, lane, run_at)
     SELECT $1, $2::jsonb, $5, coalesce($6::timestamptz,
       date_trunc('milliseconds', now()) + make_interval(secs => $3))
     WHERE NOT ($4::boolean AND EXISTS (SELECT 1 FROM jobs
       WHERE kind = $1 AND payload = $2::jsonb AND dead_at IS NULL AND lease_token IS NULL))`,
    [
      job.kind,
      JSON.stringify(job.payload),
      (job.delayMs ?? 0) / 1000,
      job.unlessQueued ?? false,
      job.lane,
      job.runAt ?? null,
    ],
    { lock: '' },
  );
}

const DUE = `dead_at IS NULL AND ($1::text[] IS NULL OR kind = ANY ($1)) AND kind <> ALL ($2)`;
const CLAIMABLE = `${DUE} AND run_at <= now() AND (lease_expires_at IS NULL OR lease_expires_at <= now())`;
/** How many jobs run now, for each lane that has any. */
const RUNNING_LANES = `SELECT lane, count(*) AS running FROM jobs
  WHERE lane IS NOT NULL AND lease_token IS NOT NULL AND lease_expires_at > now() GROUP BY lane`;
/** The share of a lane; a lane outside any share is its own. */
const SHARE = `split_part(lane, '/', 1)`;
const RUNNING_SHARES = `SELECT ${SHARE} AS share, sum(running) AS running
  FROM (${RUNNING_LANES}) running_lane GROUP BY 1`;
const LANE_IS_FREE = `(lane IS NULL OR (
  lane NOT IN (SELECT lane FROM (${RUNNING_LANES}) full_lane WHERE running >= ${LANE_WIDTH})
  AND ${SHARE} NOT IN (SELECT share FROM (${RUNNING_SHARES}) full_share WHERE running >= ${SHARE_WIDTH})))`;

/** All lanes with jobs, found by hopping along the index from one lane to the next. */
const LANES = `lanes AS (
  (SELECT lane FROM jobs WHERE lane IS NOT NULL AND dead_at IS NULL ORDER BY lane LIMIT 1)
  UNION ALL
  SELECT (SELECT lane FROM jobs WHERE lane > lanes.lane AND dead_at IS NULL ORDER BY lane LIMIT 1)
  FROM lanes WHERE lanes.lane IS NOT NULL
)`;
/** The first due jobs of each lane: a long lane costs no more than a short one. `place` counts running jobs too. */
const LANE_HEADS = `lane_heads AS (
  SELECT head.id, head.run_at, lanes.lane, coalesce(busy.running, 0)
    + row_number() OVER (PARTITION BY lanes.lane ORDER BY head.run_at, head.id) AS place
  FROM lanes LEFT JOIN (${RUNNING_LANES}) busy ON busy.lane = lanes.lane
  CROSS JOIN LATERAL (
    SELECT id, run_at FROM jobs WHERE lane = lanes.lane AND ${CLAIMABLE}
    ORDER BY run_at, id LIMIT ${LANE_WIDTH}
  ) head
)`;
/** Those that their lane has room for, with their place in the share. */
const SHARE_HEADS = `share_heads AS (
  SELECT lane_heads.id, lane_heads.run_at, lane_heads.place, coalesce(busy.running, 0)
    + row_number() OVER (PARTITION BY ${SHARE} ORDER BY place, run_at, id) AS share_place
  FROM lane_heads LEFT JOIN (${RUNNING_SHARES}) busy ON busy.share = ${SHARE}
  WHERE place <= ${LANE_WIDTH}
)`;
/** Those that their share has room for, from the least busy shares and lanes first, locked. */
const DUE_IN_LANES = `due_in_lanes AS (
  SELECT id, run_at FROM jobs WHERE ${CLAIMABLE} AND id = ANY (ARRAY(
    SELECT id FROM share_heads WHERE share_place <= ${SHARE_WIDTH}
    ORDER BY share_place, place, run_at, id LIMIT $3))
  FOR UPDATE SKIP LOCKED
)`;
/** Due jobs without a lane, locked. */
const DUE_WITHOUT_LANE = `due_without_lane AS (
  SELECT id, run_at FROM jobs WHERE ${CLAIMABLE} AND lane IS NULL
  ORDER BY run_at, id LIMIT $3 FOR UPDATE SKIP LOCKED
)`;
/** The oldest of both. */
const CLAIM = `UPDATE jobs SET lease_token = $4, attempts = attempts + 1,
    lease_expires_at = now() + make_interval(secs => $5)
  WHERE id = ANY (ARRAY(
    WITH RECURSIVE ${LANES}, ${LANE_HEADS}, ${SHARE_HEADS}, ${DUE_IN_LANES}, ${DUE_WITHOUT_LANE}
    SELECT id FROM (TABLE due_in_lanes UNION ALL TABLE due_without_lane) due
    ORDER BY run_at, id LIMIT $3))
  RETURNING id, kind, payload, attempts AS attempt, run_at AS "runAt"`;

/**
 * Takes up to `limit` due jobs, oldest first: those that no worker has, and those whose worker stopped
 * renewing its lease. However long one lane is, the others do not wait for it.
 */
export async function claimJobs(
  db: Queryable,
  limit: number,
  token: string,
  leaseSeconds: number,
  kinds: Kinds = {},
): Promise<ClaimedJob[]> {
  const values = [kinds.only ?? null, kinds.except ?? [], limit, token, leaseSeconds];
  const rows = await db.query<Omit<ClaimedJob, 'token'> & { runAt: Date }>(CLAIM, values);
  const inOrder = rows.toSorted((a, b) => a.runAt.getTime() - b.runAt.getTime() || a.id - b.id);
  return inOrder.map(({ id, kind, payload, attempt }) => ({ id, kind, payload, attempt, token }));
}

/** Milliseconds until the next unclaimed job is due in a lane with room. */
export async function findNextDue(db: Queryable, kinds: Kinds = {}): Promise<number | undefined> {
  const [next] = await db.query<{ inMs: number }>(
    `SELECT (extract(epoch FROM run_at - now()) * 1000)::float8 AS "inMs" FROM jobs
     WHERE ${DUE} AND lease_token IS NULL AND ${LANE_IS_FREE} ORDER BY run_at, id LIMIT 1`,
    [kinds.only ?? null, kinds.except ?? []],
  );
  return next?.inMs;
}

/**
 * Returns the ids of the jobs that are still ours. If a lease has expired and another worker has the job,
 * this and the functions below do nothing for it; those that end a lease return false.
 */
export async function renewLeases(
  db: Queryable,
  leases: readonly Lease[],
  leaseSeconds: number,
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `UPDATE jobs SET lease_expires_at = now() + make_interval(secs => $3)
     FROM unnest($1::bigint[], $2::text[]) AS held (id, token)
     WHERE jobs.id = held.id AND jobs.lease_token = held.token RETURNING jobs.id`,
    [...columnsOf(leases), leaseSeconds],
  );
  return rows.map((row) => row.id);
}

/** Releases jobs as if they had not been started; they keep their place in the queue. */
export async function handBackJobs(db: Queryable, leases: readonly Lease[]): Promise<boolean> {
  if (leases.length === 0) return true;
  const rows = await db.query(
    `UPDATE jobs SET lease_token = NULL, lease_expires_at = NULL, attempts = attempts - 1
     FROM unnest($1::bigint[], $2::text[]) AS held (id, token)
     WHERE jobs.id = held.id AND jobs.lease_token = held.token RETURNING 1 AS "handedBack"`,
    columnsOf(leases),
  );
  return rows.length === leases.length;
}

export async function completeJob(db: Queryable, lease: Lease): Promise<boolean> {
  const rows = await db.query(
    'DELETE FROM jobs WHERE id = $1 AND lease_token = $2 RETURNING 1 AS completed',
    [lease.id, lease.token],
  );
  return rows.length === 1;
}

export async function retryJob(
  db: Queryable,
  lease: Lease,
  inSeconds: number,
  lastError: string,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE jobs SET lease_token = NULL, lease_expires_at = NULL, last_error = $4,
       run_at = now() + make_interval(secs => $3)
     WHERE id = $1 AND lease_token = $2 RETURNING 1 AS retried`,
    [lease.id, lease.token, inSeconds, lastError],
  );
  return rows.length === 1;
}

export async function buryJob(db: Queryable, lease: Lease, lastError: string): Promise<boolean> {
  const rows = await db.query(
    `UPDATE jobs SET lease_token = NULL, lease_expires_at = NULL, last_error = $3, dead_at = now()
     WHERE id = $1 AND lease_token = $2 RETURNING 1 AS buried`,
    [lease.id, lease.token, lastError],
  );
  return rows.length === 1;
}

/** Ids of other jobs that run now in this job's lane, with the same kind and payload. */
export async function findTwins(
  db: Queryable,
  { id, kind, payload }: { id: number; kind: string; payload: object },
): Promise<number[]> {
  const rows = await db.query<{ id: number }>(
    `SELECT id FROM jobs WHERE lane = (SELECT mine.lane FROM jobs mine WHERE mine.id = $1)
       AND lease_token IS NOT NULL AND lease_expires_at > now()
       AND id <> $1 AND kind = $2 AND payload = $3::jsonb`,
    [id, kind, JSON.stringify(payload)],
  );
  return rows.map((row) => row.id);
}

/** The payloads of waiting and running jobs whose `messageId` is one of these. */
export async function listPayloadsAbout(
  db: Queryable,
  kind: string,
  messageIds: readonly string[],
): Promise<unknown[]> {
  const rows = await db.query<{ payload: unknown }>(
    `SELECT payload FROM jobs
     WHERE kind = $1 AND dead_at IS NULL AND payload->>'messageId' = ANY ($2::text[])`,
    [kind, messageIds],
  );
  return rows.map(({ payload }) => payload);
}

/** A page of dead jobs, in order of id, after `afterId`. */
export async function listDeadJobs(
  db: Queryable,
  afterId: number,
  limit: number,
): Promise<DeadJob[]> {
  return db.query<DeadJob>(
    `SELECT id, kind, attempts, last_error AS "lastError", dead_at AS "diedAt" FROM jobs
     WHERE dead_at IS NOT NULL AND id > $1 ORDER BY id LIMIT $2`,
    [afterId, limit],
  );
}

/** Makes one dead job, or all of them, due now with all attempts left; returns how many. */
export async function reviveJobs(db: Queryable, id: number | 'all'): Promise<number> {
  const rows = await db.query(
    `UPDATE jobs SET dead_at = NULL, attempts = 0, run_at = now()
     WHERE dead_at IS NOT NULL AND ($1::bigint IS NULL OR id = $1) RETURNING 1 AS revived`,
    [id === 'all' ? null : id],
  );
  return rows.length;
}

function columnsOf(leases: readonly Lease[]): [ids: number[], tokens: string[]] {
  return [leases.map((lease) => lease.id), leases.map((lease) => lease.token)];
}

export interface QueuedKind {
  kind: string;
  /** Those that are due or running. */
  waiting: number;
  oldestSeconds: number;
  dead: number;
}

/** The state of the queue, for those who watch it. */
export function readQueue(db: Queryable): Promise<QueuedKind[]> {
  return db.query<QueuedKind>(
    `SELECT kind, (count(*) FILTER (WHERE dead_at IS NULL AND run_at <= now()))::int AS waiting,
       coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE dead_at IS NULL AND run_at <= now())),
         0)::float8 AS "oldestSeconds",
       (count(*) FILTER (WHERE dead_at IS NOT NULL))::int AS dead
     FROM jobs GROUP BY kind ORDER BY kind`,
  );
}

/** Dead jobs are kept for a month. */
export async function purgeDeadJobs(db: Queryable): Promise<number> {
  const rows = await db.query(
    `DELETE FROM jobs WHERE dead_at < now() - interval '30 days' RETURNING 1 AS purged`,
  );
  return rows.length;
}
