/*
 * How a write travels.
 *
 * A service adds statements with `atCommit` and reads with `sharedRead`. Until its work is done, a transaction
 * that does nothing else has no connection and has sent nothing. Then all its statements are sent as one packet,
 * with one `Sync` at the end. PostgreSQL makes a packet a transaction: either all of it is committed, or nothing.
 * So a write costs one round trip and one flush to disk. A transaction that also uses `query` takes a connection
 * with its first one, BEGIN travels in the packet of that statement, and COMMIT in the packet of the last ones.
 *
 * Order. Statements are sent as `first`, those without an order, `last`, and otherwise in the order in which they
 * were added. What locks a row that many wait for is `last`, so that it is locked from there to the end of the
 * packet only: a session, whose row numbers its messages, or an organisation's credits. Whoever locks more than
 * one takes them in the order reactions, Project, files, session, messages of that session, marks, credits.
 *
 * Together (joint-commits.ts). Packets whose statements all say which `lock` they may wait for need no connection
 * of their own. Those that arrive during such a commit are sent as one packet when it ends, up to 16: they cost
 * one transaction and one flush. They are sorted by the names of their locks, so that two processes never wait
 * for each other in a circle. That holds only if `lock` is true; server/test/cost/locks.test.ts checks it against
 * the rows that PostgreSQL has locked after each statement.
 *
 * Failures. A failed statement ends the packet, and nothing is committed. If others were in it, they are sent again
 * without it, and it is sent again alone, so that it fails for its own reason. After that its `explain` turns
 * the failure into what the caller should be told, and may read the database for it. A deadlock is retried from
 * the start of the work. If the connection breaks, nobody knows whether the packet was committed, so it is never
 * sent again: the caller gets an error, and may repeat the request with its Idempotency-Key.
 *
 * After the commit, `returned` gets the rows, then the effects run (`afterCommit`): hints for open pages,
 * waking workers. They must not write, and a crash loses them, so what must not be lost is a row of the commit.
 *
 * Citus commits each statement of a packet by itself, and a database may isolate transactions differently. So each
 * connection is asked once, with its first packet. If a packet is not a transaction there, or nobody knows yet, it
 * is sent between BEGIN and COMMIT, alone, and a statement's `onCitus` is sent instead of it. The embedded
 * engine has one session, which transactions take in turns, so nothing is committed together there either.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type {
  AtCommitOptions,
  DetachedWork,
  ExplainFailure,
  OuterTransaction,
  Queryable,
  SharedReader,
  Statement,
  Transaction,
} from '../types.ts';
import { BatchFailure, queryOn, runBatch, type StatementResult } from './batch.ts';
import type { DeliverRows, Packet } from './joint-commits.ts';
import { sqlState } from './violations.ts';

export interface TransactionSource {
  /** What the transaction reads from until it has a connection, and failures are explained with. */
  database: Queryable;
  /** `owner` is the first value of its first statement: the org's id, in statements about one. */
  connect(owner?: unknown): Promise<pg.PoolClient>;
  /** Commits it on a connection that it may share with others. */
  runPacket(packet: Packet): Promise<DeliverRows>;
}

const ATTEMPTS = 10;
/** Otherwise it could take its first lock again before those who waited for it do. */
const PAUSE_MS = 50;

/**
 * Runs `work` between BEGIN and COMMIT, or ROLLBACK if it throws. Runs it again if the database ended it
 * because it and others waited for each other: nothing of it has happened.
 */
export async function runTransaction<T>(
  source: TransactionSource,
  work: (tx: OuterTransaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const tx = new OpenTransaction(source);
    let result: T;
    try {
      result = await work(tx);
      await tx.commit();
    } catch (error) {
      await tx.rollback();
      await tx.undo();
      if (!tx.isDeadlocked || attempt === ATTEMPTS) throw (await tx.explain()) ?? error;
      await sleep(PAUSE_MS * attempt * (0.5 + Math.random()));
      continue;
    }
    tx.runEffects();
    return result;
  }
}

interface PlannedStatement extends Statement, AtCommitOptions {}

// Each statement must see what was committed before it, whatever the database's default.
const BEGIN: PlannedStatement = { text: 'BEGIN ISOLATION LEVEL READ COMMITTED', values: [] };
const COMMIT: PlannedStatement = { text: 'COMMIT', values: [] };

/**
 * A packet is a transaction also without BEGIN and COMMIT, which cost a tenth of a short one. But Citus would
 * commit each of its statements, and BEGIN also says how they are isolated.
 */
const ARE_PACKETS_ATOMIC = `SELECT current_setting('citus.version', true) IS NULL
  AND current_setting('default_transaction_isolation') = 'read committed' AS "areAtomic"`;
/** What each connection has answered to that, with its first packet. */
const atomicPackets = new WeakMap<pg.ClientBase, boolean>();

export function arePacketsAtomic(client: pg.ClientBase): boolean {
  return atomicPackets.get(client) === true;
}

function beginningOf(client: pg.ClientBase): PlannedStatement[] {
  if (atomicPackets.has(client)) return [BEGIN];
  const returned = ([row]: readonly object[]) => {
    atomicPackets.set(client, (row as { areAtomic: boolean }).areAtomic);
  };
  return [BEGIN, { text: ARE_PACKETS_ATOMIC, values: [], returned }];
}

/**
 * It takes a connection when it has something to send, BEGIN travels with the first statement and COMMIT
 * with the last: n statements cost n round trips, and those that are sent at commit cost one together.
 */
class OpenTransaction implements OuterTransaction {
  private readonly source: TransactionSource;
  private client: pg.PoolClient | undefined;
  private connected: Promise<pg.PoolClient> | undefined;
  private begun = false;
  private committed = false;
  private readonly checks: ((on: SharedReader) => Promise<void>)[] = [];
  private readonly firstStatements: PlannedStatement[] = [];
  private readonly lastStatements: PlannedStatement[] = [];
  private readonly effects: (() => void)[] = [];
  private readonly undos: DetachedWork[] = [];
  private failure: { statement: PlannedStatement; error: unknown } | undefined;

  constructor(source: TransactionSource) {
    this.source = source;
  }

  get engine(): Queryable['engine'] {
    return this.source.database.engine;
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const client = await this.connect(values[0]);
    const results = await this.send(client, [...this.beginning(), { text, values }]);
    return (results.at(-1)?.rows ?? []) as Row[];
  }

  /** As long as nothing has been written, what is read need not come from its own connection. */
  sharedRead<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (!this.connected) return this.source.database.sharedRead<Row>(text, values);
    return this.query<Row>(text, values);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work(this);
  }

  async beforehand(work: DetachedWork, undo: DetachedWork): Promise<void> {
    // The embedded engine has one session, and would wait for it forever.
    if (this.connected) throw new Error('a transaction that has begun has nothing beforehand');
    this.undos.push(undo);
    await work(this.source.database);
  }

  atConnect(check: (on: SharedReader) => Promise<void>): void {
    this.checks.push(check);
  }

  atBegin(
    text: string,
    values: readonly unknown[],
    options: { explain?: ExplainFailure } = {},
  ): void {
    this.firstStatements.push({ text, values, ...options });
  }

  atCommit(text: string, values: readonly unknown[], options: AtCommitOptions = {}): void {
    this.lastStatements.push({ text, values, ...options });
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  runEffects(): void {
    // An effect may add another one.
    for (const effect of this.effects) effect();
  }

  async script(text: string): Promise<void> {
    const client = await this.connect();
    const beginning = this.beginning();
    await Promise.all([beginning.length > 0 && this.send(client, beginning), client.query(text)]);
  }

  async commit(): Promise<void> {
    const last = this.lastStatements.toSorted((a, b) => rank(a) - rank(b));
    if (!this.connected && last.length === 0) return;
    const deliverRows = await (this.connected
      ? this.commitOn(await this.connected, last)
      : this.source.runPacket(this.packetOf(last)));
    deliverRows();
  }

  async rollback(): Promise<void> {
    if (this.committed) return;
    await this.connected?.catch(() => {});
    // If the connection is lost, the server has already rolled back, and the first error says more.
    if (this.begun) await this.client?.query('ROLLBACK').catch(() => {});
    // The pool itself drops a broken connection.
    this.client?.release();
  }

  async undo(): Promise<void> {
    if (this.committed) return;
    for (const undo of this.undos) await undo(this.source.database);
  }

  get isDeadlocked(): boolean {
    return !this.committed && sqlState(this.failure?.error) === '40P01';
  }

  /** After the rollback, because it may read what else the failed statement's caller should know. */
  async explain(): Promise<Error | undefined> {
    if (!this.failure) return undefined;
    const { statement, error } = this.failure;
    return statement.explain?.(error, this.source.database);
  }

  private connect(owner?: unknown): Promise<pg.PoolClient> {
    this.connected ??= this.takeConnection(owner);
    return this.connected;
  }

  private async takeConnection(owner: unknown): Promise<pg.PoolClient> {
    const client = await this.source.connect(owner);
    this.client = client;
    await this.check(client);
    return client;
  }

  private async check(client: pg.PoolClient): Promise<void> {
    for (const check of this.checks) {
      await check({ sharedRead: (text, values) => queryOn(client, text, values) });
    }
  }

  private beginning(): PlannedStatement[] {
    if (this.begun) return [];
    this.begun = true;
    return [BEGIN, ...this.firstStatements];
  }

  private async commitOn(client: pg.PoolClient, last: PlannedStatement[]): Promise<DeliverRows> {
    const sent = arePacketsAtomic(client) ? last : last.flatMap(partsOf);
    const deliverRows = await this.sendLast(client, [...sent, COMMIT]);
    client.release();
    return deliverRows;
  }

  private packetOf(all: PlannedStatement[]): Packet {
    const commit = (client: pg.PoolClient) => this.commitAtOnce(client, all);
    const lock = onlyLockOf(all);
    const owner = all[0]?.values[0];
    if (lock === undefined) return { owner, commit };
    return {
      owner,
      commit,
      joint: {
        lock,
        check: (client) => this.check(client),
        statements: all,
        committed: (results) => this.committedWith(all, results),
      },
    };
  }

  /** The whole transaction as one packet. */
  private async commitAtOnce(client: pg.PoolClient, all: PlannedStatement[]): Promise<DeliverRows> {
    await this.check(client);
    if (arePacketsAtomic(client)) return this.sendLast(client, all);
    const parts = all.flatMap(partsOf);
    // A single statement is its own transaction.
    if (parts.length === 1) return this.sendLast(client, parts);
    try {
      return await this.sendLast(client, [...beginningOf(client), ...parts, COMMIT]);
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  /** Commits. What it returns then delivers the rows. */
  private async sendLast(
    client: pg.PoolClient,
    statements: PlannedStatement[],
  ): Promise<DeliverRows> {
    const results = await this.send(client, statements);
    const command = results.at(-1)?.command;
    if (statements.at(-1) === COMMIT && command !== 'COMMIT') {
      throw new Error(`the transaction ended with ${command}`);
    }
    return this.committedWith(statements, results);
  }

  private committedWith(
    statements: readonly PlannedStatement[],
    results: readonly StatementResult[],
  ): DeliverRows {
    this.committed = true;
    return () => {
      for (const [at, { returned }] of statements.entries()) returned?.(results[at]?.rows ?? []);
    };
  }

  private async send(
    client: pg.PoolClient,
    statements: readonly PlannedStatement[],
  ): Promise<StatementResult[]> {
    try {
      return await runBatch(client, statements);
    } catch (error) {
      if (!(error instanceof BatchFailure)) throw error;
      const statement = statements[error.failedAt];
      if (statement) this.failure ??= { statement, error: error.cause };
      throw error.cause;
    }
  }
}

/** What is sent as long as the connection may be one to Citus. */
function partsOf(statement: PlannedStatement): PlannedStatement[] {
  const { onCitus: [first, ...others] = [], explain } = statement;
  if (!first) return [statement];
  return [
    { ...statement, ...first },
    ...others.map((other) => ({ ...other, ...(explain && { explain }) })),
  ];
}

/** The name of the one lock that they may wait for; `''` if none. Undefined if there may be more, or others. */
function onlyLockOf(statements: readonly PlannedStatement[]): string | undefined {
  let only = '';
  for (const { lock } of statements) {
    if (lock === undefined || (only !== '' && lock !== '' && lock !== only)) return undefined;
    only ||= lock;
  }
  return only;
}

const RANKS = { first: -1, last: 1 };

function rank({ order }: AtCommitOptions): number {
  return order ? RANKS[order] : 0;
}
