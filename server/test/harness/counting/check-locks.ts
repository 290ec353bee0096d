import pg from 'pg';
import type { Database, Statement } from '../../../src/db/types.ts';

/** A statement as `atCommit` was given it. */
export interface LockingStatement extends Statement {
  /** The id of the row that it says it may wait for; `''` if none. */
  lock: string;
}

interface LockedRow {
  table: string;
  id: string;
  sessionId: string | null;
}

const TABLES = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`;

/** Rows of this transaction that another would have to wait for. A foreign key's lock lets others share a row. */
const lockedIn = (table: string) => `SELECT '${table}' AS "table",
    coalesce(to_jsonb(t)->>'id', t.ctid::text) AS id, to_jsonb(t)->>'session_id' AS "sessionId"
  FROM ${table} t WHERE t.xmax = $1::text::xid
    AND t.ctid NOT IN (SELECT one.ctid FROM ${table} one FOR SHARE SKIP LOCKED)`;

/**
 * Runs the statements one by one, asks PostgreSQL from another connection which rows each has locked, and rolls
 * back. Returns where that is not what they say: a row that is neither the named one nor of the named session,
 * or is locked before it, and names that are out of order. It does not see waits for keys that are being inserted.
 */
export async function brokenPromises(
  db: Database,
  statements: readonly LockingStatement[],
): Promise<string[]> {
  const tables = await db.query<{ name: string }>(TABLES);
  const listLocked = tables.map(({ name }) => lockedIn(name)).join(' UNION ALL ');
  const problems: string[] = [];
  const undo = new Error('rolled back');
  const checking = db.transaction(async (tx) => {
    const [own] = await tx.query<{ id: string }>('SELECT pg_current_xact_id()::xid::text AS id');
    const held = new Set<string>();
    let last = '';
    for (const { text, values, lock } of statements) {
      if (lock !== '' && lock < last) problems.push(`${lock} is locked after ${last}: ${text}`);
      if (lock !== '') last = lock;
      await tx.query(text, values);
      for (const { table, id, sessionId } of await db.query<LockedRow>(listLocked, [own?.id])) {
        const row = `${table} ${id}`;
        if (held.has(row)) continue;
        held.add(row);
        const isNamed = lock !== '' && id === lock;
        const isGuarded = lock !== '' && sessionId === lock && held.has(`sessions ${lock}`);
        if (!isNamed && !isGuarded) problems.push(`says '${lock}', and locks ${row}: ${text}`);
      }
    }
    throw undo;
  });
  await checking.catch((error: unknown) => {
    if (error !== undo) throw error;
  });
  return problems;
}

interface Batch {
  statements: readonly (Statement & { lock?: string })[];
  callback: (...outcome: unknown[]) => void;
}

/** Sent with those that are committed together. */
const LIMITS_WAITS = /set_config\('lock_timeout'/;

type Query = (this: pg.Client, sent: string | Batch, ...values: unknown[]) => unknown;

export interface CheckedLocks {
  /** How many transactions of a single packet were sent, and how many of them were together with others. */
  packets: number;
  together: number;
  problems: string[];
}

/**
 * Before each packet that may be committed with others is sent, checks what its statements say, on connections of
 * `db`. It is sent when no other one is under way.
 */
export async function checkLocks(
  db: Database,
  work: () => Promise<unknown>,
): Promise<CheckedLocks> {
  const checked: CheckedLocks = { packets: 0, together: 0, problems: [] };
  let turn = Promise.resolve();
  // oxlint-disable-next-line typescript/unbound-method -- called with the client it belongs to
  const query = pg.Client.prototype.query as unknown as Query;
  const checkFirst: Query = function checkFirst(sent, ...values) {
    const statements = typeof sent === 'object' ? ownStatements(sent) : [];
    if (typeof sent !== 'object' || statements.length === 0) {
      return query.call(this, sent, ...values);
    }
    checked.packets++;
    if (statements.length < sent.statements.length) checked.together++;
    const before = turn;
    turn = (async () => {
      await before;
      const found = await brokenPromises(db, statements).catch((error: unknown) => [String(error)]);
      checked.problems.push(...found);
      await settled(sent, () => query.call(this, sent));
    })();
    return undefined;
  };
  Object.assign(pg.Client.prototype, { query: checkFirst });
  try {
    await work();
  } finally {
    Object.assign(pg.Client.prototype, { query });
  }
  return checked;
}

/** None if it is not a packet of which each statement says what it may wait for. */
function ownStatements({ statements }: Batch): LockingStatement[] {
  const own = statements.filter(({ text }) => !LIMITS_WAITS.test(text));
  return own.every(isLocking) ? own : [];
}

function isLocking(statement: Batch['statements'][number]): statement is LockingStatement {
  return statement.lock !== undefined;
}

function settled(batch: Batch, send: () => void): Promise<void> {
  return new Promise((resolve) => {
    const { callback } = batch;
    batch.callback = (...outcome) => {
      resolve();
      callback(...outcome);
    };
    send();
  });
}
