import { hasCitus, placeTables } from './citus.ts';
import { lockSchema, migrate } from '../migrating/migrate.ts';
import { placeOf, TABLE_PLACES } from './table-places.ts';
import type { Database, OuterTransaction, Queryable } from '../types.ts';

/** The database, or the cluster around it, is not ready for it. The message is one line. */
export class NotDistributable extends Error {
  override name = 'NotDistributable';
}

export interface Distribution {
  /** Those that were placed now, and where. */
  placed: Record<'reference' | 'distributed' | 'local', string[]>;
  nodes: number;
  shards: number;
}

/** Citus 12 is the first that moves and places shards as this needs it. */
const MIN_CITUS = 12;

/**
 * Places every table of a database, empty or filled, on the nodes of its Citus cluster. It is one
 * transaction: all or nothing. Whoever runs it again places what is not placed yet.
 */
export async function distribute(
  db: Database,
  { shards }: { shards: number },
): Promise<Distribution> {
  await checkCluster(db);
  await migrate(db);
  await keepSettings(db);
  const placed = await db.transaction(async (tx) => {
    await lockSchema(tx);
    await tx.script(
      `SET LOCAL citus.multi_shard_modify_mode = 'sequential'; SET LOCAL citus.shard_count = ${shards}`,
    );
    await dropTriggers(tx);
    return placeTables(tx, Object.values(TABLE_PLACES).flat());
  });
  const at = (place: string) => placed.filter((table) => placeOf(table) === place);
  const moved = { reference: at('reference'), distributed: at('distributed'), local: at('local') };
  await freeSpace(db, [...moved.reference, ...moved.distributed]);
  return { placed: moved, ...(await readSize(db)) };
}

async function checkCluster(db: Database): Promise<void> {
  if (!(await hasCitus(db))) {
    throw new NotDistributable(
      'this database has no Citus extension; distribute is for a Citus cluster, and one PostgreSQL needs nothing of it',
    );
  }
  const [citus] = await db.query<{ version: string; isCoordinator: boolean; workers: number }>(
    `SELECT extversion AS version, citus_is_coordinator() AS "isCoordinator",
       (SELECT count(*) FROM pg_dist_node WHERE isactive AND shouldhaveshards)::int AS workers
     FROM pg_extension WHERE extname = 'citus'`,
  );
  if (!citus || Number.parseInt(citus.version, 10) < MIN_CITUS) {
    throw new NotDistributable(
      `Citus ${citus?.version} is too old; ${MIN_CITUS} or later is required`,
    );
  }
  if (citus.workers === 0) {
    throw new NotDistributable(
      'the cluster has no node for shards; add some with citus_add_node, or let the coordinator have shards with citus_set_node_property',
    );
  }
  if (!citus.isCoordinator) {
    throw new NotDistributable('this is a worker node; set DATABASE_URL to the coordinator');
  }
  await checkVector(db);
}

/** Every node computes with vectors, and they must all compute the same. */
async function checkVector(db: Database): Promise<void> {
  const nodes = await db.query<{ version: string | null }>(
    `SELECT nullif(result, '') AS version FROM run_command_on_all_nodes(
       $cmd$SELECT coalesce((SELECT extversion FROM pg_extension WHERE extname = 'vector'), '')$cmd$)`,
  );
  const versions = new Set(nodes.map(({ version }) => version ?? 'none'));
  if (versions.size > 1) {
    throw new NotDistributable(
      `the nodes have different versions of pgvector (${[...versions].join(', ')}); install the same one everywhere`,
    );
  }
}

/**
 * For every later connection: SET LOCAL reaches the nodes, as vector search needs, and two processes that
 * delete in all shards take these in the same order.
 */
export async function keepSettings(db: Queryable): Promise<void> {
  const [row] = await db.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
  for (const setting of [
    `citus.propagate_set_commands = 'local'`,
    `citus.multi_shard_modify_mode = 'sequential'`,
  ]) {
    await db.query(`ALTER DATABASE ${row?.name} SET ${setting}`);
  }
}

/** They note what release 0.1.0 changes, which can't run on Citus, where tables have no triggers. */
export async function dropTriggers(tx: OuterTransaction): Promise<void> {
  const triggers = await tx.query<{ table: string }>(
    `SELECT tgrelid::regclass::text AS "table" FROM pg_trigger WHERE tgname = 'note_unversioned_change'`,
  );
  for (const { table } of triggers) {
    await tx.script(`DROP TRIGGER note_unversioned_change ON ${table}`);
  }
}

/** The rows that were moved are still in the coordinator's files, where nobody sees them. */
async function freeSpace(db: Queryable, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await db.query('SELECT truncate_local_data_after_distributing_table($1::regclass)', [table]);
  }
}

async function readSize(db: Queryable): Promise<{ nodes: number; shards: number }> {
  const [row] = await db.query<{ nodes: number; shards: number }>(
    `SELECT (SELECT count(*) FROM pg_dist_node WHERE isactive AND shouldhaveshards)::int AS nodes,
       (SELECT count(*) FROM pg_dist_shard WHERE logicalrelid = 'projects'::regclass)::int AS shards`,
  );
  return row ?? { nodes: 0, shards: 0 };
}
