import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import type { Queryable, Transaction } from '../../../db/database.ts';
import { noSuch } from './failure.ts';
import type { StoredCheckout } from './objects/checkout.ts';

/** The answer to a POST, kept for who asks again with the same key. */
export interface KeptAnswer {
  id: string;
  object: 'sandbox.answer';
  request: string;
  /** Null only while the first request is at work. */
  answer: object | null;
}

/** Something a person has set on a page. */
export interface Setting {
  id: string;
  object: 'sandbox.setting';
  value: string;
}

/** What is kept, by its `object` field. */
export interface SandboxObjects {
  customer: Stripe.Customer;
  'checkout.session': StoredCheckout;
  'billing_portal.session': Stripe.BillingPortal.Session;
  subscription: Stripe.Subscription;
  invoice: Stripe.Invoice;
  invoice_payment: Stripe.InvoicePayment;
  payment_intent: Stripe.PaymentIntent;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  event: Stripe.Event;
  'sandbox.answer': KeptAnswer;
  'sandbox.setting': Setting;
}
export type ObjectType = keyof SandboxObjects;
export type SandboxObject = SandboxObjects[ObjectType];

const SECRET_BYTES = 32;
const ID_BYTES = 12;

/** Those of pages are their credential, so they are longer. */
export function newSandboxId(prefix: string): string {
  const isCredential = prefix === 'cs_test' || prefix === 'bps';
  return `${prefix}_${randomBytes(isCredential ? SECRET_BYTES : ID_BYTES).toString('hex')}`;
}

/** What is kept refers to other objects by id; only answers may hold them whole. */
export function idOf(reference: string | { id: string } | null | undefined): string {
  const id = typeof reference === 'object' ? reference?.id : reference;
  if (id === undefined) throw new Error('an object of the sandbox refers to nothing');
  return id;
}

/** `dueAt`, in seconds: when `claimDue` should find it. */
export async function insertObject(
  tx: Transaction,
  object: SandboxObject,
  dueAt: number | null = null,
): Promise<void> {
  await tx.query(
    `INSERT INTO sandbox_objects (id, type, data, due_at)
     VALUES ($1, $2, $3::jsonb, to_timestamp($4::float8))`,
    [object.id, object.object, JSON.stringify(object), dueAt],
  );
}

/** False where it is there already. Waits for who inserts it at the same time. */
export async function insertIfNew(
  tx: Transaction,
  object: SandboxObject,
  dueAt: number | null = null,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO sandbox_objects (id, type, data, due_at)
     VALUES ($1, $2, $3::jsonb, to_timestamp($4::float8))
     ON CONFLICT (id) DO NOTHING RETURNING 1 AS inserted`,
    [object.id, object.object, JSON.stringify(object), dueAt],
  );
  return rows.length === 1;
}

/** Replaces all of it, so the row must have been locked before it was read. */
export async function saveObject(
  tx: Transaction,
  object: SandboxObject,
  dueAt: number | null = null,
): Promise<void> {
  await tx.query(
    `UPDATE sandbox_objects SET data = $3::jsonb, due_at = to_timestamp($4::float8)
     WHERE id = $1 AND type = $2`,
    [object.id, object.object, JSON.stringify(object), dueAt],
  );
}

export async function deleteObject(
  tx: Transaction,
  type: ObjectType,
  id: string,
): Promise<boolean> {
  const rows = await tx.query(
    'DELETE FROM sandbox_objects WHERE id = $1 AND type = $2 RETURNING 1 AS deleted',
    [id, type],
  );
  return rows.length === 1;
}

interface Row<K extends ObjectType> {
  data: SandboxObjects[K];
}

export async function findObject<K extends ObjectType>(
  db: Queryable,
  type: K,
  id: string,
): Promise<SandboxObjects[K] | undefined> {
  const [row] = await db.query<Row<K>>(
    'SELECT data FROM sandbox_objects WHERE id = $1 AND type = $2',
    [id, type],
  );
  return row?.data;
}

/** `param` is where the id came from; see `noSuch`. */
export async function getObject<K extends ObjectType>(
  db: Queryable,
  type: K,
  id: string,
  param?: string,
): Promise<SandboxObjects[K]> {
  const found = await findObject(db, type, id);
  if (!found) throw noSuch(type, id, param);
  return found;
}

/** Nobody else changes it until the transaction ends. A charge is locked before its disputes. */
export async function lockObject<K extends ObjectType>(
  tx: Transaction,
  type: K,
  id: string,
  param?: string,
): Promise<SandboxObjects[K]> {
  const [row] = await tx.query<Row<K>>(
    'SELECT data FROM sandbox_objects WHERE id = $1 AND type = $2 FOR UPDATE',
    [id, type],
  );
  if (!row) throw noSuch(type, id, param);
  return row.data;
}

/** Whatever has this id; the SDK can ask for it in place of the id. */
export async function findById(db: Queryable, id: string): Promise<SandboxObject | undefined> {
  const [row] = await db.query<{ data: SandboxObject }>(
    "SELECT data FROM sandbox_objects WHERE id = $1 AND type NOT LIKE 'sandbox.%'",
    [id],
  );
  return row?.data;
}

export interface Listing {
  /** What the objects must contain. */
  filter?: object;
  exceptStatus?: string;
  createdFrom?: number;
  after?: string;
  limit?: number;
}

/** Newest first. */
export async function listObjects<K extends ObjectType>(
  db: Queryable,
  type: K,
  { filter = {}, exceptStatus, createdFrom, after, limit = 100 }: Listing,
): Promise<SandboxObjects[K][]> {
  const rows = await db.query<Row<K>>(
    `SELECT data FROM sandbox_objects
     WHERE type = $1 AND data @> $2::jsonb AND ($3::text IS NULL OR data->>'status' <> $3)
       AND ($4::float8 IS NULL OR (data->>'created')::float8 >= $4)
       AND ($5::text IS NULL OR position < (SELECT position FROM sandbox_objects WHERE id = $5))
     ORDER BY position DESC LIMIT $6`,
    [type, JSON.stringify(filter), exceptStatus, createdFrom, after, limit],
  );
  return rows.map((row) => row.data);
}

/** The one that is due the longest and that nobody else has in hand. */
export async function claimDue<K extends ObjectType>(
  tx: Transaction,
  type: K,
  now: number,
): Promise<SandboxObjects[K] | undefined> {
  const [row] = await tx.query<Row<K>>(
    `SELECT data FROM sandbox_objects WHERE type = $1 AND due_at <= to_timestamp($2::float8)
     ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [type, now],
  );
  return row?.data;
}

export async function purgeDue(db: Queryable, types: ObjectType[], now: number): Promise<number> {
  const rows = await db.query(
    `DELETE FROM sandbox_objects WHERE type = ANY ($1) AND due_at <= to_timestamp($2::float8)
     RETURNING 1 AS purged`,
    [types, now],
  );
  return rows.length;
}

export async function setDueAt(db: Queryable, id: string, dueAt: number | null): Promise<void> {
  await db.query('UPDATE sandbox_objects SET due_at = to_timestamp($2::float8) WHERE id = $1', [
    id,
    dueAt,
  ]);
}

/** Made by the first process that asks, and the same for all. */
export async function ensureWebhookSecret(db: Queryable): Promise<string> {
  const id = 'webhook_secret';
  const value = `whsec_${randomBytes(SECRET_BYTES).toString('hex')}`;
  return db.transaction(async (tx) => {
    await insertIfNew(tx, { id, object: 'sandbox.setting', value });
    return (await getObject(tx, 'sandbox.setting', id)).value;
  });
}

/** Whether anybody ever bought something here. */
export async function hasAnyObject(db: Queryable): Promise<boolean> {
  const rows = await db.query('SELECT 1 AS found FROM sandbox_objects LIMIT 1');
  return rows.length > 0;
}
