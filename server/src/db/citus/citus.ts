import { setTimeout as sleep } from 'node:timers/promises';
import { statementsOf } from '../migrating/statements-of.ts';
import { placeOf, TABLE_PLACES, type Place } from './table-places.ts';
import type { OuterTransaction, Queryable, Transaction } from '../types.ts';

/** True if the tables have been placed on the nodes of a Citus cluster: see distribute.ts. */
export async function isDistributed(db: Queryable): Promise<boolean> {
  if (!(await hasCitus(db))) return false;
  const [row] = await db.query<{ placed: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_dist_partition
       WHERE logicalrelid = to_regclass('projects')) AS placed`,
  );
  return row?.placed === true;
}

export async function hasCitus(db: Queryable): Promise<boolean> {
  const rows = await db.query(`SELECT 1 AS found FROM pg_extension WHERE extname = 'citus'`);
  return rows.length > 0;
}

/**
 * Runs a migration on a distributed database, statement by statement: Citus refuses several at once. A new
 * table is placed before the next statement, and belongs to nobody until then, so that it may refer to others.
 */
export async function runDistributed(tx: OuterTransaction, script: string): Promise<void> {
  await tx.script(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
  for (const statement of statementsOf(script)) {
    const table = /^(?:--[^\n]*\n|\s)*CREATE TABLE (\w+)/i.exec(statement)?.[1];
    if (table === undefined) {
      await tx.script(statement);
    } else {
      await tx.script('SET LOCAL citus.enable_ddl_propagation = off');
      await tx.script(statement);
      await tx.script('SET LOCAL citus.enable_ddl_propagation = on');
      await placeTables(tx, [table]);
    }
  }
}

/** Places those tables that are not placed yet, in an order that their foreign keys allow. */
export async function placeTables(
  tx: OuterTransaction,
  tables: readonly string[],
): Promise<string[]> {
  const wanted = new Set(tables.filter((table) => placeOf(table) !== 'unmanaged'));
  for (const table of await listPlaced(tx)) wanted.delete(table);
  const ordered = inOrder(wanted, await listReferences(tx));
  // Otherwise what refers to a reference table becomes a local table, which can't be distributed any more.
  await tx.script('SET LOCAL citus.enable_local_reference_table_foreign_keys = off');
  for (const place of ['reference', 'distributed'] as const) {
    for (const table of of(place, ordered)) await tx.query(PLACING[place], [table]);
  }
  await tx.script('SET LOCAL citus.enable_local_reference_table_foreign_keys = on');
  for (const table of of('local', ordered)) await tx.query(PLACING.local, [table]);
  return ordered;
}

const PLACING = {
  reference: 'SELECT create_reference_table($1::regclass)',
  distributed: `SELECT create_distributed_table($1::regclass, 'org_id', colocate_with => CASE
    WHEN $1::text = 'projects' THEN 'none' ELSE 'projects' END)`,
  // Managed by Citus, so that a commit that also changes a shard is a commit of both, or of none.
  local: 'SELECT citus_add_local_table_to_metadata($1::regclass, cascade_via_foreign_keys => true)',
};

function of(place: Place, tables: readonly string[]): string[] {
  return tables.filter((table) => placeOf(table) === place);
}

async function listPlaced(tx: Transaction): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    'SELECT logicalrelid::text AS name FROM pg_dist_partition',
  );
  return rows.map(({ name }) => name);
}

interface Reference {
  from: string;
  to: string;
}

function listReferences(tx: Transaction): Promise<Reference[]> {
  return tx.query<Reference>(
    `SELECT DISTINCT conrelid::regclass::text AS "from", confrelid::regclass::text AS "to"
     FROM pg_constraint WHERE contype = 'f'`,
  );
}

/** What is referred to comes first, and the table that all others are beside comes before those. */
function inOrder(tables: ReadonlySet<string>, references: readonly Reference[]): string[] {
  const ordered = new Set<string>();
  const visiting = new Set<string>();
  const visit = (table: string) => {
    if (!tables.has(table) || visiting.has(table)) return;
    visiting.add(table);
    for (const { from, to } of references) if (from === table) visit(to);
    ordered.add(table);
  };
  for (const table of [...TABLE_PLACES.reference, 'projects', ...tables]) visit(table);
  return [...ordered];
}

/**
 * A commit is decided on the coordinator, where its rows are seen at once, and the nodes are told next. Until
 * then a node has them prepared, locked and unseen; if it could not be told, until somebody recovers them.
 */
const UNFINISHED = `SELECT decided.gid FROM run_command_on_workers($command$
    SELECT coalesce(string_agg(gid, ','), '') FROM pg_prepared_xacts
    WHERE database = current_database()$command$) node
  JOIN pg_dist_transaction decided ON decided.gid = ANY (string_to_array(node.result, ','))
  WHERE node.success`;
/** What was not told by now never will be. */
const TOLD_WITHIN_MS = 500;
const LOOK_AGAIN_MS = 20;

/** Resolves when what was committed before can be seen on every node that answers. */
export async function finishCommits(db: Queryable): Promise<void> {
  const deadline = performance.now() + TOLD_WITHIN_MS;
  const first = await listUnfinished(db);
  // Others begin meanwhile, and are not waited for.
  const areLeft = async () => (await listUnfinished(db)).some((gid) => first.includes(gid));
  if (first.length === 0) return;
  while (await areLeft()) {
    if (performance.now() > deadline) {
      await db.query('SELECT recover_prepared_transactions()');
      if (await areLeft()) throw new Error('a node has not finished a commit');
      return;
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

async function listUnfinished(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ gid: string }>(UNFINISHED);
  return rows.map(({ gid }) => gid);
}
