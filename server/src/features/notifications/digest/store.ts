import type { Queryable, Transaction } from '../../../db/types.ts';
import { NOTIFICATION_COLUMNS, visibleTo, type NotificationRow } from '../store.ts';

/** A person in an org. */
export interface Recipient {
  orgId: string;
  userId: string;
}

/** How long something stays unread before it is mailed, and how often one person is mailed. */
const PATIENCE = "interval '15 minutes'";
const PAUSE = "interval '1 hour'";

/** Across orgs: who has something to be mailed about, and was not sent a digest in the last hour. */
export function listDueRecipients(db: Queryable, limit: number): Promise<Recipient[]> {
  return db.query<Recipient>(
    `/* all orgs */ SELECT DISTINCT n.org_id AS "orgId", n.user_id AS "userId" FROM notifications n
     WHERE n.is_mail_due AND n.created_at <= now() - ${PATIENCE}
       AND NOT EXISTS (SELECT 1 FROM notification_digests d
         WHERE d.org_id = n.org_id AND d.user_id = n.user_id AND d.claimed_at > now() - ${PAUSE})
     LIMIT $1`,
    [limit],
  );
}

/** The number of the person's next digest. Undefined if another process claims it, or they have left the organisation. */
export async function claimDigest(
  tx: Transaction,
  { orgId, userId }: Recipient,
): Promise<number | undefined> {
  const [row] = await tx.query<{ number: number }>(
    `INSERT INTO notification_digests AS d (org_id, user_id, number, claimed_at)
     SELECT m.org_id, m.user_id, 1, now() FROM memberships m WHERE m.org_id = $1 AND m.user_id = $2
     ON CONFLICT (org_id, user_id)
       DO UPDATE SET number = d.number + 1, claimed_at = excluded.claimed_at, started_at = NULL
       WHERE excluded.claimed_at - d.claimed_at >= ${PAUSE}
     RETURNING d.number`,
    [orgId, userId],
  );
  return row?.number;
}

export interface DigestToMail {
  email: string;
  orgName: string;
  /** What is newer has to wait. */
  until: Date;
  /** Newest first. */
  rows: NotificationRow[];
}

/** What is still unread, newest first. Undefined if the person has left or this is not their last digest. */
export async function findDigest(
  db: Queryable,
  { orgId, userId }: Recipient,
  number: number,
): Promise<DigestToMail | undefined> {
  const [person] = await db.query<Omit<DigestToMail, 'rows'> & { role: string }>(
    `SELECT u.email, o.name AS "orgName", m.role,
       date_trunc('milliseconds', now() - ${PATIENCE}) AS until
     FROM notification_digests d
     JOIN memberships m ON m.org_id = $1 AND m.user_id = d.user_id
     JOIN users u ON u.id = d.user_id JOIN orgs o ON o.id = $1
     WHERE d.org_id = $1 AND d.user_id = $2 AND d.number = $3`,
    [orgId, userId, number],
  );
  if (!person) return undefined;
  const rows = await db.query<NotificationRow>(
    `SELECT ${NOTIFICATION_COLUMNS} ${visibleTo('$2', '$3::text')}
       AND n.is_mail_due AND n.read_at IS NULL AND n.created_at <= $4
       AND EXISTS (SELECT 1 FROM memberships wish WHERE wish.org_id = $1 AND wish.user_id = $2
         AND (wish.email_notifications = 'ALL'
           OR (wish.email_notifications = 'MENTIONS'
             AND n.kind IN ('MENTION', 'REMINDER', 'SCHEDULED_FAILED'))))
     ORDER BY n.created_at DESC, n.id DESC`,
    [orgId, userId, person.role, person.until],
  );
  return { email: person.email, orgName: person.orgName, until: person.until, rows };
}

/** False if somebody has begun to send this digest, or there is a newer one. */
export async function startDigest(
  db: Queryable,
  { orgId, userId }: Recipient,
  number: number,
): Promise<boolean> {
  const rows = await db.query(
    `UPDATE notification_digests SET started_at = now()
     WHERE org_id = $1 AND user_id = $2 AND number = $3 AND started_at IS NULL RETURNING 1 AS started`,
    [orgId, userId, number],
  );
  return rows.length === 1;
}

/** It was certainly not sent, so the next attempt may. */
export async function abandonDigest(
  db: Queryable,
  { orgId, userId }: Recipient,
  number: number,
): Promise<void> {
  await db.query(
    `UPDATE notification_digests SET started_at = NULL
     WHERE org_id = $1 AND user_id = $2 AND number = $3`,
    [orgId, userId, number],
  );
}

/** Nothing until this time is mailed again, and the next digest comes an hour from now. */
export async function endDigest(
  db: Queryable,
  { orgId, userId }: Recipient,
  until: Date,
): Promise<void> {
  await db.transaction(async (tx) => {
    tx.atCommit(
      `UPDATE notifications SET is_mail_due = false
       WHERE org_id = $1 AND user_id = $2 AND is_mail_due AND created_at <= $3`,
      [orgId, userId, until],
    );
    tx.atCommit(
      'UPDATE notification_digests SET claimed_at = now() WHERE org_id = $1 AND user_id = $2',
      [orgId, userId],
    );
  });
}

export async function stopMail(db: Queryable, { orgId, userId }: Recipient): Promise<void> {
  await db.query(
    `UPDATE memberships SET email_notifications = 'NONE' WHERE org_id = $1 AND user_id = $2`,
    [orgId, userId],
  );
}
