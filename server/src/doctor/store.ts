import type { Queryable } from '../db/types.ts';

/** Where the bytes of the newest files are. */
export function listRecentFiles(db: Queryable, limit: number): Promise<{ key: string }[]> {
  return db.query(
    `/* all orgs */ SELECT storage_key AS key FROM files WHERE status = 'READY'
     ORDER BY created_at DESC LIMIT $1`,
    [limit],
  );
}

/** From how many machines processes are connected. A pooler hides it. */
export async function countMachines(db: Queryable): Promise<number> {
  const [row] = await db.query<{ machines: number }>(
    `SELECT count(DISTINCT client_addr)::integer AS machines FROM pg_stat_activity
     WHERE datname = current_database() AND application_name IN ('atrium', 'atrium bus')
       AND pid <> pg_backend_pid()`,
  );
  return row?.machines ?? 0;
}
