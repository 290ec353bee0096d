import { hash } from 'node:crypto';
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

/** No request waits longer than this for one packet of statements. */
export const QUERY_TIMEOUT_MS = 30_000;

const statementNames = new Map<string, string>();

/** The name under which a connection prepares a statement, once. */
export function nameOf(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = hash('sha256', text).slice(0, 32);
    statementNames.set(text, name);
  }
  return name;
}
