import type { OrgDb } from '../../../../db/types.ts';

/** Why a file stays a link. */
export type FileRefusal = 'TOO_LARGE' | 'CHECKING' | 'MISSING' | 'REFUSED' | 'FAILED';

/** A file of a message, with what is known of it in the channel. */
export interface OutgoingFile {
  id: string;
  name: string;
  size: number;
  status: string;
  storageKey: string | null;
  /** How often its bytes were sent. */
  attempts: number;
  /** Its id there. Null until all bytes are. */
  externalId: string | null;
  refusal: FileRefusal | null;
  /** How long ago it was first shown there, if nobody knows whether that arrived. */
  shownForMs: number | null;
  isShown: boolean;
}

/** Of message m, in mapping $2. */
export const OUTGOING_FILES = `CASE WHEN m.has_files THEN coalesce((
    SELECT json_agg(json_build_object('id', f.id, 'name', f.name, 'size', f.size, 'status', f.status,
        'storageKey', f.storage_key, 'attempts', coalesce(sent.attempts, 0),
        'externalId', sent.external_id, 'refusal', sent.refusal,
        'shownForMs', extract(epoch FROM now() - sent.shown_at) * 1000,
        'isShown', coalesce(sent.is_shown, false)) ORDER BY fu.position)
    FROM file_uses fu JOIN files f ON f.org_id = $1 AND f.id = fu.file_id
    LEFT JOIN channel_files sent ON sent.org_id = $1 AND sent.mapping_id = $2
      AND sent.message_id = m.id AND sent.file_id = f.id
    WHERE fu.org_id = $1 AND fu.used_by_id = m.id), '[]') ELSE '[]' END AS files`;

/** A message's place in a channel. */
export interface SentPlace {
  mappingId: string;
  messageId: string;
}

/** Before its bytes are sent: a process that ends meanwhile has tried, too. */
export async function countAttempt(
  { db, orgId }: OrgDb,
  { mappingId, messageId }: SentPlace,
  fileId: string,
  change: 1 | -1,
): Promise<void> {
  await db.query(
    `INSERT INTO channel_files AS sent (org_id, mapping_id, message_id, file_id, attempts)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (org_id, mapping_id, message_id, file_id)
     DO UPDATE SET attempts = sent.attempts + excluded.attempts`,
    [orgId, mappingId, messageId, fileId, change],
  );
}

/** Only once, whoever else has sent it: what is shown is what is known here. */
export async function saveUploaded(
  { db, orgId }: OrgDb,
  { mappingId, messageId }: SentPlace,
  fileId: string,
  externalId: string,
): Promise<void> {
  await db.query(
    `UPDATE channel_files SET external_id = $5 WHERE org_id = $1 AND mapping_id = $2
       AND message_id = $3 AND file_id = $4 AND external_id IS NULL`,
    [orgId, mappingId, messageId, fileId, externalId],
  );
}

/** They stay links from now on. */
export async function refuseFiles(
  { db, orgId }: OrgDb,
  { mappingId, messageId }: SentPlace,
  fileIds: readonly string[],
  refusal: FileRefusal,
): Promise<void> {
  await db.query(
    `INSERT INTO channel_files (org_id, mapping_id, message_id, file_id, refusal)
     SELECT $1::text, $2::text, $3::text, given.id, $5::text FROM unnest($4::text[]) AS given (id)
     ON CONFLICT (org_id, mapping_id, message_id, file_id) DO UPDATE SET refusal = excluded.refusal`,
    [orgId, mappingId, messageId, fileIds, refusal],
  );
}

const SENT = `org_id = $1 AND mapping_id = $2 AND message_id = $3
  AND external_id IS NOT NULL AND refusal IS NULL`;

/** Before they are shown: whoever comes after this process then knows that they may be. */
export async function markShowing(
  { db, orgId }: OrgDb,
  { mappingId, messageId }: SentPlace,
): Promise<void> {
  await db.query(`UPDATE channel_files SET shown_at = now() WHERE ${SENT} AND shown_at IS NULL`, [
    orgId,
    mappingId,
    messageId,
  ]);
}

/** They surely are not. */
export async function markNotShown(
  { db, orgId }: OrgDb,
  { mappingId, messageId }: SentPlace,
): Promise<void> {
  await db.query(`UPDATE channel_files SET shown_at = NULL WHERE ${SENT}`, [
    orgId,
    mappingId,
    messageId,
  ]);
}

export async function saveShown(
  { db, orgId }: OrgDb,
  { mappingId, messageId }: SentPlace,
): Promise<void> {
  await db.query(`UPDATE channel_files SET is_shown = true WHERE ${SENT}`, [
    orgId,
    mappingId,
    messageId,
  ]);
}

/** What was sent with a message, and is not attached to it any more: all of it if the message was deleted. */
export async function listLeft(
  { db, orgId }: OrgDb,
  { mappingId, messageId }: SentPlace,
): Promise<{ fileId: string; externalId: string | null }[]> {
  return db.query(
    `SELECT sent.file_id AS "fileId", sent.external_id AS "externalId" FROM channel_files sent
     WHERE sent.org_id = $1 AND sent.mapping_id = $2 AND sent.message_id = $3
       AND NOT EXISTS (SELECT 1 FROM file_uses fu WHERE fu.org_id = $1
         AND fu.used_by_id = sent.message_id AND fu.file_id = sent.file_id)`,
    [orgId, mappingId, messageId],
  );
}

export async function forgetSent(
  { db, orgId }: OrgDb,
  { mappingId, messageId }: SentPlace,
  fileId: string,
): Promise<void> {
  await db.query(
    `DELETE FROM channel_files
     WHERE org_id = $1 AND mapping_id = $2 AND message_id = $3 AND file_id = $4`,
    [orgId, mappingId, messageId, fileId],
  );
}
