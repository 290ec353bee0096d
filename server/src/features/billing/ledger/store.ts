import type { Context, UserContext } from '../../../core/context.ts';
import { newId } from '../../../core/ids.ts';
import type { Queryable, Transaction } from '../../../db/types.ts';
import { RECORDS_PER_PAGE, type RecordQuery, type ScannedRow } from '../../../lists/record-page.ts';
import { callerOf } from '../../../access/standing.ts';
import { CAN_READ_SESSION } from '../../../access/readable.ts';
import type { Plan } from '../plans.ts';
import type { Usage } from '../schema.ts';

export interface AccountRow {
  orgId: string;
  plan: Plan;
  hasFreeCredits: boolean;
  customerId: string | null;
  subscriptionId: string | null;
  isPaid: boolean;
  endsWithPeriod: boolean;
  periodStart: Date | null;
  periodEnd: Date | null;
  /** Incremented with each provider event that is applied. */
  revision: number;
}

const ACCOUNT_COLUMNS = `org_id AS "orgId", plan,
  (SELECT o.has_free_credits FROM orgs o WHERE o.id = org_id) AS "hasFreeCredits",
  customer_id AS "customerId",
  subscription_id AS "subscriptionId", is_paid AS "isPaid", ends_with_period AS "endsWithPeriod",
  period_start AS "periodStart", period_end AS "periodEnd", revision`;

/** Finds or creates the org's account, and locks it until the transaction ends. */
export async function lockAccount(tx: Queryable, orgId: string): Promise<AccountRow> {
  const [, row] = await Promise.all([
    tx.query(
      `INSERT INTO credit_accounts (org_id) VALUES ($1)
       ON CONFLICT (org_id) DO UPDATE SET org_id = excluded.org_id`,
      [orgId],
    ),
    findAccount(tx, orgId),
  ]);
  if (!row) throw new Error(`could not lock the credit account of ${orgId}`);
  return row;
}

export async function findAccount(db: Queryable, orgId: string): Promise<AccountRow | undefined> {
  const [row] = await db.query<AccountRow>(
    `SELECT ${ACCOUNT_COLUMNS} FROM credit_accounts WHERE org_id = $1`,
    [orgId],
  );
  return row;
}

/** Found by the provider's ids across orgs, since a webhook knows nothing else. */
export async function findAccountOf(
  db: Queryable,
  { subscriptionId, customerId }: { subscriptionId?: string; customerId?: string },
): Promise<AccountRow | undefined> {
  const [row] = await db.query<AccountRow>(
    `SELECT ${ACCOUNT_COLUMNS} FROM credit_accounts WHERE subscription_id = $1 OR customer_id = $2
     ORDER BY (subscription_id = $1) DESC NULLS LAST LIMIT 1`,
    [subscriptionId, customerId],
  );
  return row;
}

/** Marks what other events have read from the provider as possibly outdated. */
export async function countRevision(tx: Queryable, orgId: string): Promise<void> {
  await tx.query('UPDATE credit_accounts SET revision = revision + 1 WHERE org_id = $1', [orgId]);
}

/** The first customer saved stays, even with two checkouts at once. */
export async function saveCustomer(
  db: Queryable,
  orgId: string,
  customerId: string,
): Promise<string> {
  return db.transaction(async (tx) => {
    // Not in the INSERT: its ON CONFLICT covers one unique column, and two at once could collide in the other.
    await lockAccount(tx, orgId);
    const [row] = await tx.query<{ customerId: string }>(
      `UPDATE credit_accounts SET customer_id = coalesce(customer_id, $2) WHERE org_id = $1
       RETURNING customer_id AS "customerId"`,
      [orgId, customerId],
    );
    return row?.customerId ?? customerId;
  });
}

export async function saveSubscription(
  db: Queryable,
  orgId: string,
  state: Omit<AccountRow, 'orgId' | 'hasFreeCredits' | 'customerId' | 'revision'>,
): Promise<void> {
  const { plan, subscriptionId, isPaid, endsWithPeriod, periodStart, periodEnd } = state;
  await db.query(
    `UPDATE credit_accounts SET plan = $2, subscription_id = $3, is_paid = $4, ends_with_period = $5,
       period_start = $6, period_end = $7
     WHERE org_id = $1`,
    [orgId, plan, subscriptionId, isPaid, endsWithPeriod, periodStart, periodEnd],
  );
}

export async function saveIncludedUntil(db: Queryable, orgId: string, until: Date): Promise<void> {
  await db.query('UPDATE credit_accounts SET included_until = $2 WHERE org_id = $1', [
    orgId,
    until,
  ]);
}

/** Orgs whose included credits are due for renewal. Crosses orgs, so only maintenance uses it. */
export async function listDueAccounts(db: Queryable, now: Date, limit: number): Promise<string[]> {
  const rows = await db.query<{ orgId: string }>(
    `SELECT org_id AS "orgId" FROM credit_accounts WHERE included_until <= $1
     ORDER BY included_until LIMIT $2`,
    [now, limit],
  );
  return rows.map(({ orgId }) => orgId);
}

/** Each source counts only once. */
export async function addEntry(
  db: Queryable,
  orgId: string,
  { kind, credits, source }: Pick<EntryRow, 'kind' | 'credits' | 'source'>,
): Promise<void> {
  await db.query(
    `INSERT INTO ledger_entries (org_id, id, kind, credits, source) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (org_id, source) DO NOTHING`,
    [orgId, newId(), kind, credits, source],
  );
}

/** The source of the newest grant, and what is `left` of it: it is spent first, and 0 once it has expired. */
const INCLUDED = `WITH newest AS (
    SELECT position, credits, source FROM ledger_entries
    WHERE org_id = $1 AND kind = 'GRANT' ORDER BY position DESC LIMIT 1)
  SELECT newest.source, CASE
    WHEN EXISTS (SELECT 1 FROM ledger_entries l
      WHERE l.org_id = $1 AND l.source = 'lapse:' || newest.source) THEN 0
    ELSE greatest(0, newest.credits + coalesce((SELECT sum(u.credits) FROM ledger_entries u
      WHERE u.org_id = $1 AND u.kind = 'USAGE' AND u.position > newest.position), 0))
    END::bigint AS left
  FROM newest`;

export async function findIncluded(db: Queryable, orgId: string) {
  const [row] = await db.query<{ source: string; left: number }>(INCLUDED, [orgId]);
  return row;
}

interface Balance {
  balance: number;
  reserved: number;
}

/** One statement, so that a settlement is never seen half-done. */
const BALANCE = `SELECT
    (SELECT coalesce(sum(credits), 0) FROM ledger_entries WHERE org_id = $1)::bigint AS balance,
    (SELECT coalesce(sum(credits), 0) FROM credit_reservations
     WHERE org_id = $1 AND expires_at > now())::bigint AS reserved`;

export async function findBalance(db: Queryable, orgId: string): Promise<Balance> {
  const [row] = await db.query<Balance>(BALANCE, [orgId]);
  return row ?? { balance: 0, reserved: 0 };
}

/** Both as of one moment. */
export async function findCredits(db: Queryable, orgId: string) {
  const [row] = await db.query<Balance & { left: number | null }>(
    `SELECT b.balance, b.reserved, i.left FROM (${BALANCE}) b LEFT JOIN (${INCLUDED}) i ON true`,
    [orgId],
  );
  const { balance, reserved, left } = row ?? { balance: 0, reserved: 0, left: 0 };
  return { balance, reserved, included: left ?? 0 };
}

/** The credits a source added, and those taken back under sources starting with `prefix`. */
export async function findTopup(db: Queryable, orgId: string, source: string, prefix: string) {
  const [row] = await db.query<{ credits: number; takenBack: number }>(
    `SELECT t.credits, coalesce((SELECT -sum(r.credits) FROM ledger_entries r
       WHERE r.org_id = $1 AND r.kind = 'REFUND' AND starts_with(r.source, $3)), 0)::bigint AS "takenBack"
     FROM ledger_entries t WHERE t.org_id = $1 AND t.kind = 'TOPUP' AND t.source = $2`,
    [orgId, source, prefix],
  );
  return row;
}

export interface EntryRow {
  id: string;
  kind: 'GRANT' | 'TOPUP' | 'USAGE' | 'LAPSE' | 'REFUND';
  credits: number;
  source: string;
  messageId: string | null;
  createdAt: Date;
}

const ENTRY_COLUMNS = `e.id, e.kind, e.credits, e.source, e.message_id AS "messageId",
  e.created_at AS "createdAt"`;

/** Which reply was charged is for those who may read it. */
export async function listEntries(
  ctx: UserContext,
  { page, limit }: { page: number; limit: number },
): Promise<{ items: EntryRow[]; total: number }> {
  const rows = await ctx.db.query<EntryRow & { total: number; isReadable: boolean }>(
    `SELECT counted.total, ${ENTRY_COLUMNS}, ${CAN_READ_SESSION} IS TRUE AS "isReadable"
     FROM (SELECT count(*) AS total FROM ledger_entries WHERE org_id = $1) counted
     LEFT JOIN (SELECT * FROM ledger_entries WHERE org_id = $1
       ORDER BY position DESC LIMIT $4 OFFSET $5) e ON true
     LEFT JOIN messages m ON m.org_id = $1 AND m.id = e.message_id
     LEFT JOIN sessions s ON s.org_id = $1 AND s.id = m.session_id
     LEFT JOIN projects p ON p.org_id = $1 AND p.id = s.project_id
     ORDER BY e.position DESC`,
    [...callerOf(ctx), limit, (page - 1) * limit],
  );
  const found = rows.filter(({ id }) => id !== null);
  const items = found.map(({ isReadable, ...entry }) =>
    entry.messageId === null || isReadable
      ? entry
      : { ...entry, messageId: null, source: 'message' },
  );
  return { total: rows[0]?.total ?? 0, items };
}

/** The credits reserved for a call; 0 once the reservation has expired. */
export async function findReservation(db: Queryable, orgId: string, id: string): Promise<number> {
  const [row] = await db.query<{ credits: number }>(
    `SELECT credits FROM credit_reservations WHERE org_id = $1 AND id = $2 AND expires_at > now()`,
    [orgId, id],
  );
  return row?.credits ?? 0;
}

export async function saveReservation(
  db: Queryable,
  orgId: string,
  reservation: { id: string; credits: number; seconds: number },
): Promise<void> {
  await db.query(
    `INSERT INTO credit_reservations (org_id, id, credits, expires_at)
     VALUES ($1, $2, $3, now() + make_interval(secs => $4))
     ON CONFLICT (org_id, id) DO UPDATE SET credits = excluded.credits, expires_at = excluded.expires_at`,
    [orgId, reservation.id, reservation.credits, reservation.seconds],
  );
}

/** For a call that failed. Takes effect in the commit that records the failure. */
export function deleteReservationAtCommit(tx: Transaction, orgId: string, id: string): void {
  tx.atCommit('DELETE FROM credit_reservations WHERE org_id = $1 AND id = $2', [orgId, id]);
}

/** Not computed by the statement: Citus refuses that in a CASE. */
const aDayBefore = (now: Date) => new Date(now.getTime() - 86_400_000);

/** What the models were used for without being paid, in the day that began with the first of it. */
export async function findUnpaid(db: Queryable, orgId: string, now: Date): Promise<number> {
  const [row] = await db.query<{ credits: number }>(
    `SELECT unpaid_credits AS credits FROM credit_accounts
     WHERE org_id = $1 AND unpaid_since > $2`,
    [orgId, aDayBefore(now)],
  );
  return row?.credits ?? 0;
}

/** What a reply would have cost that failed, or that nobody needs. After the session's row, like an entry. */
export function addUnpaidAtCommit(
  tx: Transaction,
  orgId: string,
  credits: number,
  now: Date,
): void {
  tx.atCommit(
    `UPDATE credit_accounts SET
       unpaid_credits = CASE WHEN unpaid_since > $4 THEN unpaid_credits ELSE 0 END + $3::bigint,
       unpaid_since = CASE WHEN unpaid_since > $4 THEN unpaid_since ELSE $2::timestamptz END
     WHERE org_id = $1`,
    [orgId, now, credits, aDayBefore(now)],
    { order: 'last' },
  );
}

export interface UsageRecord extends Omit<Usage, 'day' | 'replies'> {
  messageId: string;
  /** Set for a retry. Each is charged once, and so is the first run. */
  retriedAt?: string | undefined;
}

/** Adds what a run of a reply used and, if it cost anything, the ledger entry for it. */
export function recordUsageAtCommit(tx: Transaction, orgId: string, usage: UsageRecord): void {
  const { messageId, userId, model, inputTokens, outputTokens, credits } = usage;
  const source = ['message', messageId, usage.retriedAt].filter(Boolean).join(':');
  tx.atCommit(
    `INSERT INTO model_usage (org_id, message_id, user_id, model, input_tokens, output_tokens, credits)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (org_id, message_id) DO UPDATE SET model = excluded.model,
       input_tokens = model_usage.input_tokens + excluded.input_tokens,
       output_tokens = model_usage.output_tokens + excluded.output_tokens,
       credits = model_usage.credits + excluded.credits`,
    [orgId, messageId, userId, model, inputTokens, outputTokens, credits],
  );
  if (credits === 0) return;
  // Renewals read what is left of the grant under the same lock, so this entry comes before or after them.
  // It comes last, after the session's, as in a retried reply, which locks its session first.
  tx.atCommit('SELECT 1 AS locked FROM credit_accounts WHERE org_id = $1 FOR UPDATE', [orgId], {
    order: 'last',
  });
  tx.atCommit(
    `INSERT INTO ledger_entries (org_id, id, kind, credits, source, message_id)
     VALUES ($1, $2, 'USAGE', -$3::bigint, $5, $4)`,
    [orgId, newId(), credits, messageId, source],
    { order: 'last' },
  );
}

/** By day (UTC), model and person, newest day first. */
export async function listUsage(
  db: Queryable,
  orgId: string,
  { from, to }: { from: string; to: string },
): Promise<Usage[]> {
  return db.query<Usage>(
    `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, model, user_id AS "userId",
       count(*) AS replies, sum(input_tokens)::bigint AS "inputTokens",
       sum(output_tokens)::bigint AS "outputTokens", sum(credits)::bigint AS credits
     FROM model_usage
     WHERE org_id = $1 AND created_at >= $2::date AT TIME ZONE 'UTC'
       AND created_at < ($3::date + 1) AT TIME ZONE 'UTC'
     GROUP BY day, model, user_id ORDER BY day DESC, model, user_id`,
    [orgId, from, to],
  );
}

/** How many orgs were charged something other than what they used. Crosses orgs, for those who watch it. */
export async function countMismatches(db: Queryable): Promise<number> {
  const [row] = await db.query<{ orgs: number }>(
    `/* all orgs */ SELECT count(*)::int AS orgs
     FROM (SELECT org_id, sum(credits) AS credits FROM model_usage GROUP BY org_id) used
     FULL JOIN (SELECT org_id, -sum(credits) AS credits FROM ledger_entries WHERE kind = 'USAGE'
       GROUP BY org_id) charged ON charged.org_id = used.org_id
     WHERE coalesce(used.credits, 0) <> coalesce(charged.credits, 0)`,
  );
  return row?.orgs ?? 0;
}

/** Every entry, oldest first. */
export function scanEntries(
  { db, orgId }: Context,
  { after }: RecordQuery,
): Promise<ScannedRow<EntryRow>[]> {
  return db.query(
    `SELECT e.position::text AS at, ${ENTRY_COLUMNS} FROM ledger_entries e
     WHERE e.org_id = $1 AND e.position > $2::bigint ORDER BY e.position LIMIT $3`,
    [orgId, after || '0', RECORDS_PER_PAGE],
  );
}
