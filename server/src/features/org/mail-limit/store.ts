import { purgeByTime } from '../../../db/purge.ts';
import type { Queryable, Transaction } from '../../../db/types.ts';

/** Serialises invitations per org, so that concurrent requests can't exceed the limit. */
export async function lockMailsOf(tx: Transaction, orgId: string): Promise<void> {
  // FOR NO KEY UPDATE still lets others insert rows that refer to the org.
  await tx.query('SELECT id FROM orgs WHERE id = $1 FOR NO KEY UPDATE', [orgId]);
}

/** The same per address, across orgs. An advisory lock, since an address has no row to lock. */
export async function lockAddress(
  tx: Transaction,
  addressHashes: readonly Buffer[],
): Promise<void> {
  // Sorted, because processes may list the secrets keys in different orders during a rotation.
  for (const hash of addressHashes.toSorted((a, b) => a.compare(b))) {
    const lock = hash.readBigInt64BE().toString();
    await tx.query('SELECT pg_advisory_xact_lock($1::bigint)', [lock]);
  }
}

export async function countMailsOfOrg(db: Queryable, orgId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*) FROM invitation_mails
     WHERE org_id = $1 AND sent_at > now() - interval '24 hours'`,
    [orgId],
  );
  return row?.count ?? 0;
}

/** Counts across orgs, because the limit protects the mailbox. */
export async function countMailsTo(
  db: Queryable,
  addressHashes: readonly Buffer[],
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `/* all orgs */ SELECT count(*) FROM invitation_mails
     WHERE address_hash = ANY ($1::bytea[]) AND sent_at > now() - interval '24 hours'`,
    [addressHashes],
  );
  return row?.count ?? 0;
}

export async function insertMail(db: Queryable, orgId: string, addressHash: Buffer): Promise<void> {
  await db.query('INSERT INTO invitation_mails (org_id, address_hash) VALUES ($1, $2)', [
    orgId,
    addressHash,
  ]);
}

/** A chore, across orgs: what no longer counts is forgotten. */
export function purgeMails(db: Queryable): Promise<number> {
  return purgeByTime(db, { table: 'invitation_mails', time: 'sent_at', keep: '24 hours' });
}
