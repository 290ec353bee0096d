import type { Queryable } from '../types.ts';

export interface DatabaseFacts {
  version: string;
  /** Such as 150008 for 15.8. */
  versionNumber: number;
  /** The version of pgvector in this database. */
  vector: string | null;
  /** The version that could be created here. */
  availableVector: string | null;
  clockMs: number;
}

/** How far each standby is behind. Empty without one, and for a role that may not know. */
export function readReplicationLags(
  db: Queryable,
): Promise<{ standby: string; seconds: number }[]> {
  return db.query(
    `SELECT application_name AS standby, coalesce(extract(epoch FROM replay_lag), 0)::float8 AS seconds
     FROM pg_stat_replication WHERE state = 'streaming' ORDER BY 1`,
  );
}

export async function readDatabaseFacts(db: Queryable): Promise<DatabaseFacts> {
  const [facts] = await db.query<DatabaseFacts>(
    `SELECT current_setting('server_version') AS version,
       current_setting('server_version_num')::integer AS "versionNumber",
       (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector,
       (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS "availableVector",
       (extract(epoch FROM clock_timestamp()) * 1000)::double precision AS "clockMs"`,
  );
  if (!facts) throw new Error('the database returned no row');
  return facts;
}
