import { createHash } from 'node:crypto';
import type pg from 'pg';

interface Corkable {
  cork?(): void;
  uncork?(): void;
}

/** Gathers what is sent to this connection in one turn of the event loop into one packet. */
export function gatherWrites(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Corkable } }).connection;
  stream.cork?.();
  process.nextTick(() => stream.uncork?.());
}

/** No request waits longer than this for one statement. */
const QUERY_TIMEOUT_MS = 30_000;

const statementNames = new Map<string, string>();

/** Prepared once per connection, under a name that follows from its text. */
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

const WRITES_OR_LOCKS =
  /\b(INSERT|UPDATE|DELETE|MERGE|INTO|LOCK|FOR\s+(NO\s+KEY|KEY|SHARE)|pg_\w*(lock|sleep|notify)\w*)\b/i;
const reads = new Map<string, boolean>();

/** Whether the statement can neither write nor wait for a lock. When in doubt, it is not one. */
export function isRead(text: string): boolean {
  let known = reads.get(text);
  if (known === undefined) {
    known = /^\s*(SELECT|WITH)\b/i.test(text) && !WRITES_OR_LOCKS.test(text);
    reads.set(text, known);
  }
  return known;
}
