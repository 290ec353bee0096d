import type { Queryable } from '../../../../db/types.ts';

/** How far an org's messages are divided. */
export interface Division {
  /** The org's messages, deleted ones too. */
  messages: number;
  periods: number;
  lastNumber: number;
  /** When the newest period began: how many messages there were. */
  messagesBefore: number;
}

export async function findDivision(db: Queryable, orgId: string): Promise<Division> {
  const [row] = await db.query<Division>(
    `SELECT (SELECT coalesce(sum(s.last_position), 0)::float8 FROM sessions s WHERE s.org_id = $1) AS messages,
       count(*)::int AS periods, coalesce(max(mp.number), 0) AS "lastNumber",
       coalesce((array_agg(mp.messages_before ORDER BY mp.starts_at DESC))[1], 0)::float8 AS "messagesBefore"
     FROM message_periods mp WHERE mp.org_id = $1`,
    [orgId],
  );
  return row as Division;
}

/** When the nth message before this time that is not indexed was posted. Undefined if there are fewer. */
export async function findNthUnindexed(
  db: Queryable,
  orgId: string,
  nth: number,
  before: Date | null,
): Promise<Date | undefined> {
  const [row] = await db.query<{ createdAt: Date }>(
    `SELECT m.created_at AS "createdAt" FROM messages m
     WHERE m.org_id = $1 AND m.search_keys IS NULL AND m.created_at < coalesce($2, 'infinity'::timestamptz)
     ORDER BY m.created_at DESC OFFSET $3 LIMIT 1`,
    [orgId, before, nth - 1],
  );
  return row?.createdAt;
}

export interface Period {
  number: number;
  /** Null: now. */
  startsAt: string | null;
}

export async function insertPeriods(
  db: Queryable,
  orgId: string,
  periods: readonly Period[],
  messagesBefore: number,
): Promise<void> {
  await db.query(
    `INSERT INTO message_periods (org_id, starts_at, number, messages_before)
     SELECT $1, coalesce(starts_at, now()), number, $4
     FROM unnest($2::timestamptz[], $3::int[]) AS periods (starts_at, number)
     ON CONFLICT DO NOTHING`,
    [
      orgId,
      periods.map(({ startsAt }) => startsAt),
      periods.map(({ number }) => number),
      messagesBefore,
    ],
  );
}
