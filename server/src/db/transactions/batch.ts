import { hash } from 'node:crypto';
import pg from 'pg';
import { NO_ROWS, shapeOf, toRow, type DescribedColumn, type RowShape } from '../rows.ts';
import type { Statement } from '../types.ts';
import { toSentValue, type SentValue } from './sent-value.ts';

/** No request waits longer than this for one packet of statements. */
const QUERY_TIMEOUT_MS = 30_000;

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
  client: pg.ClientBase,
  statements: readonly Statement[],
): Promise<StatementResult[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new Batch(statements, (error, results) => {
        if (error) reject(error);
        else resolve(results);
      }),
    );
  });
}

/** One statement on this connection; its failure is the database's own. */
export async function queryOn<Row extends object>(
  client: pg.ClientBase,
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

type Done = (error: Error | null, results: StatementResult[]) => void;

/**
 * What the driver calls on its queries. In pipeline mode it takes none that don't extend its own, because
 * cursors would mix up rows. batch.test.ts pins what a batch relies on.
 */
interface DriverQuery {
  callback: Done;
  submit(connection: unknown): void;
  handleRowDescription(message: { fields: DescribedColumn[] }): void;
  handleDataRow(message: { fields: (string | null)[] }): void;
  handleCommandComplete(message: { text: string }): void;
  handleReadyForQuery(connection: Wire): void;
  handleError(error: unknown, connection: Wire): void;
}

const BaseQuery = pg.Query as unknown as new (text: string) => DriverQuery;

/** The driver's exported `Connection`, or the embedded engine's, whose stream has no buffer. */
interface Wire {
  stream: { cork?(): void; uncork?(): void };
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: readonly SentValue[] }): void;
  describe(portal: { type: 'P' }): void;
  execute(): void;
  close(statement: { type: 'S'; name: string }): void;
  sync(): void;
}

/** What is known of a connection's prepared statements, by name. */
interface Known {
  prepared: Set<string>;
  /** Batches under way prepare these, and may fail before they do. */
  preparing: Set<string>;
  /** The database describes the rows of a statement once. They can't change while it is prepared. */
  shapes: Map<string, RowShape>;
}

const nothingKnown = (): Known => ({
  prepared: new Set(),
  preparing: new Set(),
  shapes: new Map(),
});
const knownOn = new WeakMap<Wire, Known>();
const UNSENT = nothingKnown();

const statementNames = new Map<string, string>();

/** The name under which a connection prepares a statement, once. */
function nameOf(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = hash('sha256', text).slice(0, 32);
    statementNames.set(text, name);
  }
  return name;
}

/** A statement as it was sent: its name, or '' if it has none, and its rows' shape, if that is known. */
interface Sent {
  name: string;
  shape: RowShape | undefined;
}

/** None of its own properties may have a name that the driver gives a meaning, such as `rows`. */
class Batch extends BaseQuery {
  readonly query_timeout = QUERY_TIMEOUT_MS;
  private readonly statements: readonly Statement[];
  private readonly bound: SentValue[][];
  private readonly sent: Sent[] = [];
  private readonly prepared: string[] = [];
  private known = UNSENT;
  private readonly results: StatementResult[] = [];
  private arrived: object[] = [];
  private unreadable: Error | undefined;

  constructor(statements: readonly Statement[], callback: Done) {
    super('');
    this.callback = callback;
    this.statements = statements;
    // A value that cannot be sent fails here, before the connection has half a batch.
    this.bound = statements.map(({ values }) => values.map((value) => toSentValue(value)));
  }

  override submit(connection: unknown): void {
    const wire = connection as Wire;
    this.known = knownOn.get(wire) ?? nothingKnown();
    knownOn.set(wire, this.known);
    // Everything for this connection in one turn of the event loop travels as one packet.
    const { stream } = wire;
    stream.cork?.();
    process.nextTick(() => stream.uncork?.());
    for (const [at, { text }] of this.statements.entries()) this.send(wire, text, this.bound[at]);
    wire.sync();
  }

  override handleRowDescription({ fields }: { fields: DescribedColumn[] }): void {
    this.describe(shapeOf(fields));
  }

  override handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const shape = this.sent[this.results.length]?.shape ?? NO_ROWS;
    try {
      this.arrived.push(toRow(shape, fields));
    } catch (error) {
      this.unreadable ??= error as Error;
    }
  }

  override handleCommandComplete({ text }: { text: string }): void {
    if (!this.sent[this.results.length]?.shape) this.describe(NO_ROWS);
    this.results.push({ command: text.split(' ', 1)[0] ?? '', rows: this.arrived });
    this.arrived = [];
  }

  override handleReadyForQuery(): void {
    for (const name of this.prepared) this.known.preparing.delete(name);
    this.callback(this.unreadable ?? null, this.results);
  }

  override handleError(error: unknown, wire: Wire): void {
    // Which of the new ones the server has kept is unknown, so it is told to forget them all.
    for (const name of this.prepared) {
      this.known.preparing.delete(name);
      this.known.prepared.delete(name);
      this.known.shapes.delete(name);
      wire.close({ type: 'S', name });
    }
    this.callback(new BatchFailure(this.results.length, error), []);
  }

  private send(wire: Wire, text: string, values: readonly SentValue[] = []): void {
    const name = this.nameOn(wire, text);
    const shape = this.known.shapes.get(name);
    this.sent.push({ name, shape });
    wire.bind({ statement: name, values });
    if (!shape) wire.describe({ type: 'P' });
    wire.execute();
  }

  /** The name it is prepared under. */
  private nameOn(wire: Wire, text: string): string {
    const name = nameOf(text);
    if (!this.known.prepared.has(name)) {
      wire.parse({ name, text });
      this.known.prepared.add(name);
      this.prepared.push(name);
      this.known.preparing.add(name);
    } else if (this.known.preparing.has(name) && !this.prepared.includes(name)) {
      wire.parse({ name: '', text });
      return '';
    }
    return name;
  }

  /** The rows of the statement whose results are arriving. */
  private describe(shape: RowShape): void {
    const sent = this.sent[this.results.length];
    if (!sent) return;
    sent.shape = shape;
    if (sent.name !== '') this.known.shapes.set(sent.name, shape);
  }
}
