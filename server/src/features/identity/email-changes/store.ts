import { emailKey } from '../../../core/email.ts';
import { purgeInBatches } from '../../../db/purge.ts';
import type { Queryable } from '../../../db/types.ts';

/** The caller has locked the person, so positions follow the order of the changes. */
export async function insertUndo(
  db: Queryable,
  undo: Pick<UndoRow, 'id' | 'userId' | 'email'> & { tokenHash: Buffer },
): Promise<void> {
  const { id, tokenHash, userId, email } = undo;
  await db.query(
    `INSERT INTO email_undos (id, token_hash, user_id, email, email_key, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + interval '7 days')`,
    [id, tokenHash, userId, email, emailKey(email)],
  );
}

export interface UndoRow {
  id: string;
  /** A bigint as text. */
  position: string;
  userId: string;
  email: string;
  /** When the address was changed. */
  createdAt: Date;
  usedAt: Date | null;
}

export async function findUndo(db: Queryable, tokenHash: Buffer): Promise<UndoRow | undefined> {
  const [row] = await db.query<UndoRow>(
    `SELECT id, position::text AS position, user_id AS "userId", email, created_at AS "createdAt",
       used_at AS "usedAt"
     FROM email_undos WHERE token_hash = $1`,
    [tokenHash],
  );
  return row;
}

/** The hash tells which secrets key the emailed token was derived from. */
export async function findUndoHash(db: Queryable, id: string): Promise<Buffer | undefined> {
  const [row] = await db.query<{ tokenHash: Buffer }>(
    'SELECT token_hash AS "tokenHash" FROM email_undos WHERE id = $1',
    [id],
  );
  return row?.tokenHash;
}

/** Works once. False if it was used or has expired. */
export async function useUndo(db: Queryable, id: string): Promise<boolean> {
  const rows = await db.query(
    `UPDATE email_undos SET used_at = now()
     WHERE id = $1 AND used_at IS NULL AND expires_at > now() RETURNING 1 AS used`,
    [id],
  );
  return rows.length === 1;
}

/** They would restore an address from after the one just restored. */
export async function endLaterUndos(
  db: Queryable,
  userId: string,
  position: string,
): Promise<void> {
  await db.query(
    `UPDATE email_undos SET expires_at = now()
     WHERE user_id = $1 AND position > $2 AND used_at IS NULL AND expires_at > now()`,
    [userId, position],
  );
}

/** Addresses that the person had. */
export async function listUndoEmails(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db.query<{ email: string }>(
    'SELECT email FROM email_undos WHERE user_id = $1',
    [userId],
  );
  return rows.map(({ email }) => email);
}

export async function deleteUndos(db: Queryable, userId: string): Promise<void> {
  await db.query('DELETE FROM email_undos WHERE user_id = $1', [userId]);
}

/** A week after its end a link is forgotten; until then it says why it does not work. */
export function purgeUndos(db: Queryable): Promise<number> {
  return purgeInBatches(
    db,
    `DELETE FROM email_undos WHERE id = ANY (ARRAY(
       SELECT id FROM email_undos WHERE expires_at <= now() - interval '7 days'
       LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING 1 AS purged`,
  );
}
