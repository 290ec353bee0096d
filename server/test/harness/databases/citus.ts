import type { TestProject } from 'vitest/node';
import { distribute, keepSettings as keepSettingsOf } from '../../../src/db/citus/distribute.ts';
import { openPostgres } from '../../../src/db/engines/postgres.ts';
import type { Database } from '../../../src/db/types.ts';
import { asAdmin, citusNodes, databaseUrl, dropDatabase, runOn } from './postgres-servers.ts';

/** A few shards on each worker: enough to be on different nodes, and quick to copy. */
const SHARDS = 4;

/** A distributed database, of which every test file gets a copy: on each node, of what it has there. */
export async function setUpCitus(project: TestProject): Promise<() => Promise<void>> {
  const template = `atrium_template_${process.pid}_${Date.now()}`;
  const db = await createCluster(template);
  await distribute(db, { shards: SHARDS });
  await db.close();
  // Citus stays connected to the databases it knows, and one in use can't be copied.
  await asAdmin(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false`);
  await asAdmin(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${template}'`,
  );
  project.provide('template', template);
  return () => dropDatabase(template);
}

/** A database on all nodes, which know each other. It has no tables. */
export async function createCluster(name: string): Promise<Database> {
  await asAdmin(`CREATE DATABASE ${name}`);
  const [coordinator = '', ...workers] = citusNodes();
  for (const server of [coordinator, ...workers]) {
    await runOn(databaseUrl(name, server), 'CREATE EXTENSION citus', 'CREATE EXTENSION vector');
  }
  const url = databaseUrl(name);
  const added = workers.map((worker) => `SELECT citus_add_node(${placeOf(worker)})`);
  await runOn(url, `SELECT citus_set_coordinator_host(${placeOf(coordinator)})`, ...added);
  return openPostgres({ url, poolMax: 3, onError: () => {} });
}

function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `'${hostname}', ${port}`;
}

/** A copy of a database has all but its settings. */
export async function keepSettings(url: string): Promise<void> {
  const db = openPostgres({ url, poolMax: 1, onError: () => {} });
  await keepSettingsOf(db);
  await db.close();
}
