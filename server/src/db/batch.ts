import { createRequire } from 'node:module';
import pg from 'pg';
import { nameOf, QUERY_TIMEOUT_MS } from './statement.ts';

export interface Statement {
  text: string;
  values: readonly unknown[];
}

export interface StatementResult {
  command: string;
  rows: object[];
}

/** A statement of a batch failed. The ones before it ran, the ones behind it did not. */
export class BatchFailure extends Error {
  readonly failedAt: number;
  override readonly cause: unknown;

  constructor(failedAt: number, cause: unknown) {
    super('a statement of a batch failed');
    this.failedAt = failedAt;
    this.cause = cause;
  }
}

/**
 * Sends statements as one packet and waits once for all their results. After a failure the server skips
 * the rest of the batch. To the driver a batch is one query, which costs much less than one for each.
 */
export function runBatch(
  client: pg.PoolClient,
  statements: readonly Statement[],
): Promise<StatementResult[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new Batch(statements, (error, results) => {
        if (error) reject(error);
        else resolve(Array.isArray(results) ? results : [results]);
      }),
    );
  });
}

/** One statement on this connection; its failure is the database's own. */
export async function queryOn<Row extends object>(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  try {
    const [result] = await runBatch(client, [{ text, values }]);
    return (result?.rows ?? []) as Row[];
  } catch (error) {
    throw error instanceof BatchFailure ? error.cause : error;
  }
}

type Done = (error: Error | null, results: StatementResult | StatementResult[]) => void;

/** What the driver calls on its queries, and what they call on its connection. */
interface DriverQuery {
  submit(connection: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
  handleError(error: unknown, connection: Wire): void;
}

interface Wire {
  stream: { cork?(): void; uncork?(): void };
  parsedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: readonly SentValue[] }): void;
  describe(portal: { type: 'P' }): void;
  execute(): void;
  close(statement: { type: 'S'; name: string }): void;
  sync(): void;
}

const BaseQuery = pg.Query as unknown as new (config: object) => DriverQuery;

/** What goes over the wire for a value: text, bytes, or null. */
type SentValue = string | Buffer | null;

// The driver exports this without types.
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils') as {
  prepareValue: (value: unknown) => SentValue;
};

class Batch extends BaseQuery {
  readonly statements: readonly Statement[];
  readonly query_timeout = QUERY_TIMEOUT_MS;
  private readonly sent: SentValue[][];
  private readonly prepared: string[] = [];
  private completed = 0;

  constructor(statements: readonly Statement[], callback: Done) {
    super({ callback });
    this.statements = statements;
    // A value that cannot be sent fails here, before the connection has half a batch.
    this.sent = statements.map(({ values }) => values.map((value) => prepareValue(value)));
  }

  override submit(connection: unknown): void {
    const wire = connection as Wire;
    wire.stream.cork?.();
    try {
      for (const [at, { text }] of this.statements.entries()) this.send(wire, text, this.sent[at]);
      wire.sync();
    } finally {
      wire.stream.uncork?.();
    }
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    this.completed++;
    super.handleCommandComplete(message, connection);
  }

  override handleError(error: unknown, connection: Wire): void {
    // Which of the new ones the server has kept is unknown, so it is told to forget them all.
    for (const name of this.prepared) {
      delete connection.parsedStatements[name];
      connection.close({ type: 'S', name });
    }
    super.handleError(new BatchFailure(this.completed, error), connection);
  }

  private send(wire: Wire, text: string, values: readonly SentValue[] = []): void {
    const name = nameOf(text);
    if (wire.parsedStatements[name] === undefined) {
      wire.parse({ name, text });
      wire.parsedStatements[name] = text;
      this.prepared.push(name);
    }
    wire.bind({ statement: name, values });
    wire.describe({ type: 'P' });
    wire.execute();
  }
}
