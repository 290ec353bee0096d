import type { Database } from '../../../src/db/types.ts';

interface Count {
  scope: string;
  /** Null: all memories of the scope. */
  term: number | null;
  memories: number;
}

/** What the statistics say about an org, and what counting its memories says; zeroes are left out. */
export async function readStatistics(
  db: Database,
  orgId: string,
): Promise<{ kept: Count[]; counted: Count[] }> {
  const kept = await db.query<Count>(
    `SELECT * FROM (
       SELECT scope, NULL::bigint AS term, memories FROM memory_scopes WHERE org_id = $1
       UNION ALL SELECT scope, term, memories FROM memory_terms WHERE org_id = $1) kept
     WHERE memories <> 0 ORDER BY scope, term`,
    [orgId],
  );
  const counted = await db.query<Count>(
    `SELECT scope, NULL::bigint AS term, count(*) AS memories FROM memories WHERE org_id = $1 GROUP BY scope
     UNION ALL SELECT scope, term, count(*) FROM memories CROSS JOIN unnest(terms) term
     WHERE org_id = $1 GROUP BY scope, term ORDER BY scope, term`,
    [orgId],
  );
  return { kept, counted };
}
