import { createHash } from 'node:crypto';
import type pg from 'pg';

interface Corkable {
  cork?(): void;
  uncork?(): void;
}

/** Sends everything for this connection in one turn of the event loop as one packet. */
export function gatherWrites(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Corkable } }).connection;
  stream.cork?.();
  process.nextTick(() => stream.uncork?.());
}

/** No request waits longer than this for one statement. */
const QUERY_TIMEOUT_MS = 30_000;

const statementNames = new Map<string, string>();

/** Prepares a statement once per connection, under a name derived from its text. */
export function prepared(
  text: string,
  values: readonly unknown[],
): pg.QueryConfig & { query_timeout: number } {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    statementNames.set(text, name);
  }
  return { name, text, values: values as unknown[], query_timeout: QUERY_TIMEOUT_MS };
}
