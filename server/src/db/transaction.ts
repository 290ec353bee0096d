import type pg from 'pg';
import { gatherWrites, prepared } from './statement.ts';
import type { AtCommitOptions, Transaction } from './types.ts';

/** Runs `work` between BEGIN and COMMIT, or ROLLBACK if it throws. */
export async function runTransaction<T>(
  client: pg.PoolClient,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const tx = new OpenTransaction(client);
  let result: T;
  try {
    result = await work(tx);
    await tx.commit();
  } catch (error) {
    await tx.rollback();
    throw error;
  }
  tx.runEffects();
  return result;
}

interface LastStatement extends AtCommitOptions {
  text: string;
  values: readonly unknown[];
}

/**
 * Connections are pipelined, so BEGIN travels with the first statement and COMMIT with the last:
 * a transaction of n statements costs n round trips, not n + 2.
 */
class OpenTransaction implements Transaction {
  private readonly client: pg.PoolClient;
  private begun: Promise<unknown> | undefined;
  private lastStatements: LastStatement[] = [];
  private effects: (() => void)[] = [];
  private finished = false;

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const begun = this.begin();
    const [result] = await Promise.all([this.client.query<Row>(prepared(text, values)), begun]);
    return result.rows;
  }

  /** A transaction has its connection to itself. */
  sharedRead<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    return this.query<Row>(text, values);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return work(this);
  }

  atCommit(text: string, values: readonly unknown[], options: AtCommitOptions = {}): void {
    this.lastStatements.push({ text, values, ...options });
  }

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  runEffects(): void {
    for (const effect of this.effects) effect();
  }

  async script(text: string): Promise<void> {
    await Promise.all([this.begin(), this.client.query(text)]);
  }

  async commit(): Promise<void> {
    if (!this.begun && this.lastStatements.length === 0) return;
    if (!this.begun && this.lastStatements.length === 1) return this.commitOnlyStatement();
    const begun = this.begin();
    const ordered = this.lastStatements.toSorted(
      (a, b) => Number(a.last ?? 0) - Number(b.last ?? 0),
    );
    const statements = ordered.map((statement) => this.run(statement));
    this.finished = true;
    const committed = this.client.query('COMMIT');
    // Waits for all of them before it throws, because the connection then goes back to the pool.
    const outcomes = await Promise.allSettled([begun, ...statements, committed]);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    const { command } = await committed;
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
  }

  async rollback(): Promise<void> {
    if (!this.begun || this.finished) return;
    this.finished = true;
    // If the connection is lost, the server has already rolled back, and the first error says more.
    await this.client.query('ROLLBACK').catch(() => {});
  }

  /** A single statement is its own transaction, so it needs no BEGIN and COMMIT. */
  private async commitOnlyStatement(): Promise<void> {
    this.finished = true;
    await Promise.all(this.lastStatements.map((statement) => this.run(statement)));
  }

  private async run({ text, values, explain }: LastStatement): Promise<void> {
    try {
      await this.client.query(prepared(text, values));
    } catch (error) {
      throw explain?.(error) ?? error;
    }
  }

  /** Also gathers writes, so that BEGIN travels in one packet with the first statement. */
  private begin(): Promise<unknown> {
    gatherWrites(this.client);
    // Each statement must see what was committed before it, whatever the database's default.
    this.begun ??= this.client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    return this.begun;
  }
}
