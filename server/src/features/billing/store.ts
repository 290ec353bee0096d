import type { Queryable, Transaction } from '../../db/types.ts';
import type { Plan } from './plans.ts';

export interface CheckoutRow {
  id: string;
  providerId: string;
  orgId: string;
  plan: Plan | null;
  credits: number | null;
}

/** A repeated request has the same id. */
export function insertCheckoutAtCommit(
  tx: Transaction,
  checkout: CheckoutRow & { createdById: string },
): void {
  const { id, providerId, orgId, plan, credits, createdById } = checkout;
  tx.atCommit(
    `INSERT INTO checkouts (id, provider_id, org_id, plan, credits, created_by_id)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING`,
    [id, providerId, orgId, plan, credits, createdById],
  );
}

/** Found by the provider's id. Our record, not the event, says who bought what. */
export async function findCheckout(db: Queryable, providerId: string) {
  const [row] = await db.query<CheckoutRow>(
    `SELECT id, provider_id AS "providerId", org_id AS "orgId", plan, credits FROM checkouts
     WHERE provider_id = $1`,
    [providerId],
  );
  return row;
}

/** Spares calls to the provider for a repeated event. */
export async function isProcessed(db: Queryable, eventId: string): Promise<boolean> {
  const rows = await db.query('SELECT 1 AS found FROM payment_events WHERE id = $1', [eventId]);
  return rows.length === 1;
}

/** False if any process has already processed it. */
export async function claimEvent(
  tx: Queryable,
  event: { id: string; type: string },
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO payment_events (id, type) VALUES ($1, $2)
     ON CONFLICT (id) DO NOTHING RETURNING 1 AS claimed`,
    [event.id, event.type],
  );
  return rows.length === 1;
}

export async function findOrgName(db: Queryable, orgId: string): Promise<string> {
  const [row] = await db.query<{ name: string }>('SELECT name FROM orgs WHERE id = $1', [orgId]);
  return row?.name ?? orgId;
}
