import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { BatchFailure, queryOn, runBatch, type StatementResult } from './batch.ts';
import type { Packet, TellRows } from './joint-commits.ts';
import { gatherWrites } from './statement.ts';
import type {
  AtBeginOptions,
  AtCommitOptions,
  DetachedWork,
  Queryable,
  SharedReader,
  Statement,
  Transaction,
} from '../types.ts';
import { sqlState } from './violations.ts';

export interface TransactionSource {
  /** What the transaction reads from until it has a connection, and failures are explained with. */
  database: Queryable;
  /** `owner` is the first value of its first statement: the org's id, in statements about one. */
  connect(owner?: unknown): Promise<pg.PoolClient>;
  /** Commits it on a connection that it may share with others. */
  runPacket(packet: Packet): Promise<TellRows>;
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
  work: (tx: Transaction) => Promise<T>,
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
class OpenTransaction implements Transaction {
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

  atBegin(text: string, values: readonly unknown[], options: AtBeginOptions = {}): void {
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
    const tellRows = await (this.connected
      ? this.commitOn(await this.connected, last)
      : this.source.runPacket(this.packetOf(last)));
    tellRows();
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

  private async commitOn(client: pg.PoolClient, last: PlannedStatement[]): Promise<TellRows> {
    const sent = arePacketsAtomic(client) ? last : last.flatMap(partsOf);
    const tellRows = await this.sendLast(client, [...sent, COMMIT]);
    client.release();
    return tellRows;
  }

  private packetOf(all: PlannedStatement[]): Packet {
    const commit = (client: pg.PoolClient) => this.commitAtOnce(client, all);
    const waitsFor = rowOf(all);
    const owner = all[0]?.values[0];
    if (waitsFor === undefined) return { owner, commit };
    return {
      owner,
      commit,
      joint: {
        waitsFor,
        check: (client) => this.check(client),
        statements: all,
        committed: (results) => this.committedWith(all, results),
      },
    };
  }

  /** The whole transaction as one packet. */
  private async commitAtOnce(client: pg.PoolClient, all: PlannedStatement[]): Promise<TellRows> {
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

  /** Commits. Returns what then tells whoever wants to know what a statement returned. */
  private async sendLast(client: pg.PoolClient, statements: PlannedStatement[]): Promise<TellRows> {
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
  ): TellRows {
    this.committed = true;
    return () => {
      for (const [at, { returned }] of statements.entries()) returned?.(results[at]?.rows ?? []);
    };
  }

  private async send(
    client: pg.PoolClient,
    statements: readonly PlannedStatement[],
  ): Promise<StatementResult[]> {
    gatherWrites(client);
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
  const { apart: [first, ...others] = [], explain } = statement;
  if (!first) return [statement];
  return [
    { ...statement, ...first },
    ...others.map((other) => ({ ...other, ...(explain && { explain }) })),
  ];
}

/** The row that they may wait for. Undefined if they may wait for more than that. */
function rowOf(statements: readonly PlannedStatement[]): string | undefined {
  const rows = statements.map(({ waitsFor }) => waitsFor);
  return rows.includes(undefined) ? undefined : rows.join('');
}

function rank({ first, last }: AtCommitOptions): number {
  return Number(last ?? false) - Number(first ?? false);
}
