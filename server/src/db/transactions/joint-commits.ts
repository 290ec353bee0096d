import type pg from 'pg';
import { BatchFailure, runBatch, type StatementResult } from './batch.ts';
import type { Statement } from '../types.ts';
import { sqlState } from './violations.ts';

/** More would wait long for each other, and save little. */
const MOST_TOGETHER = 16;
/** Nobody waits for a commit that takes longer: it may itself be waiting, for a lock. */
const PATIENCE_MS = 20;

/** If a packet waits longer for a lock, it fails and is retried alone, so that the others don't wait too. */
const LIMIT_WAITS: Statement = {
  text: "SELECT set_config('lock_timeout', '200ms', true) AS limited",
  values: [],
};

/** Delivers each statement's rows after the commit. */
export type DeliverRows = () => void;

/** A transaction that is sent at once. */
export interface Packet {
  /** The first value of its first statement: the org's id, in statements about one. */
  owner?: unknown;
  /** Commits it alone. */
  commit(client: pg.PoolClient): Promise<DeliverRows>;
  /** What it takes to commit it with others, if it may be. */
  joint?: JointPart;
}

export interface JointPart {
  /** Name of the row lock it may wait for; `''` if none. All take their locks in the order of these names. */
  lock: string;
  /** Throws if it may no longer be sent. */
  check(client: pg.PoolClient): Promise<void>;
  statements: readonly Statement[];
  committed(results: readonly StatementResult[]): DeliverRows;
}

export interface JointPacket extends Packet {
  joint: JointPart;
}

export function isJoint(packet: Packet): packet is JointPacket {
  return packet.joint !== undefined;
}

export interface JointCommitsOptions {
  pool: pg.Pool;
  /** How many of the pool's connections can be used at a time. */
  connections: number;
}

interface Waiting {
  packet: JointPacket;
  resolve: (deliverRows: DeliverRows) => void;
  reject: (error: unknown) => void;
}

/**
 * Transactions that come while others are being committed wait for it, and are then committed together:
 * they cost the database and the disk one commit. If none is under way, nobody waits. Only for databases on
 * which a packet is a transaction.
 */
export function createJointCommits(
  options: JointCommitsOptions,
): (packet: JointPacket) => Promise<DeliverRows> {
  const { pool, connections } = options;
  const waiting: Waiting[] = [];
  /** When each commit under way began. */
  const underWay = new Set<{ since: number }>();
  let timer: NodeJS.Timeout | undefined;

  function goOn(): void {
    if (waiting.length === 0) return;
    const late = performance.now() - PATIENCE_MS;
    const mustWait = [...underWay].some(({ since }) => since > late);
    if (!mustWait && underWay.size < connections) void commitNext();
    timer ??= setTimeout(() => {
      timer = undefined;
      goOn();
    }, PATIENCE_MS);
  }

  async function commitNext(): Promise<void> {
    const commit = { since: performance.now() };
    underWay.add(commit);
    await serve();
    underWay.delete(commit);
    goOn();
  }

  async function serve(): Promise<void> {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error);
      return;
    }
    await commitAll(client, waiting.splice(0, MOST_TOGETHER));
    // A failed packet leaves the connection usable; the pool itself drops a broken one.
    client.release();
  }

  return (packet) =>
    new Promise((resolve, reject) => {
      waiting.push({ packet, resolve, reject });
      goOn();
    });
}

async function commitAll(client: pg.PoolClient, all: Waiting[]): Promise<void> {
  const checked = await Promise.all(all.map((one) => passes(client, one)));
  let left = all.filter((_, at) => checked[at]);
  const failing: Waiting[] = [];
  while (left.length > 1) {
    const failed = await commitTogether(client, left);
    if (failed.length === 0) return commitEach(client, failing);
    failing.push(...failed);
    left = left.filter((one) => !failed.includes(one));
  }
  return commitEach(client, [...left, ...failing]);
}

async function commitEach(client: pg.PoolClient, all: readonly Waiting[]): Promise<void> {
  for (const { packet, resolve, reject } of all) {
    await packet.commit(client).then(resolve, reject);
  }
}

async function passes(client: pg.PoolClient, { packet, reject }: Waiting): Promise<boolean> {
  try {
    await packet.joint.check(client);
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

/** As one transaction. If one of them failed, nothing has happened. Returns those that are retried alone. */
async function commitTogether(client: pg.PoolClient, all: readonly Waiting[]): Promise<Waiting[]> {
  const inOrder = all.toSorted((a, b) => compare(a.packet.joint.lock, b.packet.joint.lock));
  const owned = inOrder.flatMap((one) =>
    one.packet.joint.statements.map((statement) => ({ one, statement })),
  );
  try {
    const sent = [LIMIT_WAITS, ...owned.map(({ statement }) => statement)];
    const [, ...results] = await runBatch(client, sent);
    for (const { packet, resolve } of inOrder) {
      resolve(packet.joint.committed(results.splice(0, packet.joint.statements.length)));
    }
    return [];
  } catch (error) {
    const failed = wasRolledBack(error) ? owned[error.failedAt - 1]?.one : undefined;
    if (failed) return isLockTimeout(error) ? waitingLike(failed, all) : [failed];
    for (const { reject } of all) reject(error instanceof BatchFailure ? error.cause : error);
    return [];
  }
}

/** Those that would wait for the same lock again. */
function waitingLike({ packet }: Waiting, all: readonly Waiting[]): Waiting[] {
  return all.filter((one) => one.packet.joint.lock === packet.joint.lock);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The database has said so. If the connection broke instead, nobody knows. */
function wasRolledBack(error: unknown): error is BatchFailure {
  return error instanceof BatchFailure && sqlState(error.cause) !== undefined;
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof BatchFailure && sqlState(error.cause) === '55P03';
}
