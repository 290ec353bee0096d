import type { ChatFile } from '../../../../adapters/chat/provider.ts';
import type { OrgDb, OrgTransaction } from '../../../../db/types.ts';

/** A file of a message from a channel that could not be fetched with it. */
export interface LateFile extends ChatFile {
  /** In the message, as it was written there. */
  position: number;
}

/** With the message that it is of. */
export interface LateRow extends LateFile {
  messageId: string;
  projectId: string;
  sessionId: string;
  connectionId: string;
  uploadedById: string | null;
  /** Whether the message was deleted. */
  isGone: boolean;
}

export type LatePlace = Pick<LateRow, 'messageId' | 'position'>;

/** In the commit of the message. */
export function insertLateAtCommit(
  { db, orgId }: OrgTransaction,
  row: Omit<LateRow, 'isGone'>,
): void {
  db.atCommit(
    `INSERT INTO channel_late_files (org_id, message_id, position, project_id, session_id,
       connection_id, name, media_type, size, source, shown, uploaded_by_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      orgId,
      row.messageId,
      row.position,
      row.projectId,
      row.sessionId,
      row.connectionId,
      row.name,
      row.mediaType,
      row.size,
      row.source,
      row.shown,
      row.uploadedById,
    ],
  );
}

export async function findLate(
  { db, orgId }: OrgDb,
  { messageId, position }: LatePlace,
): Promise<LateRow | undefined> {
  const [row] = await db.query<LateRow>(
    `SELECT late.message_id AS "messageId", late.position, late.project_id AS "projectId",
       late.session_id AS "sessionId", late.connection_id AS "connectionId", late.name,
       late.media_type AS "mediaType", late.size, late.source, late.shown,
       late.uploaded_by_id AS "uploadedById", m.deleted_at IS NOT NULL AS "isGone"
     FROM channel_late_files late
     JOIN messages m ON m.org_id = $1 AND m.id = late.message_id
     WHERE late.org_id = $1 AND late.message_id = $2 AND late.position = $3`,
    [orgId, messageId, position],
  );
  return row;
}

/** False if somebody else was faster. */
export async function deleteLate(
  { db, orgId }: OrgDb,
  { messageId, position }: LatePlace,
): Promise<boolean> {
  const rows = await db.query(
    `DELETE FROM channel_late_files WHERE org_id = $1 AND message_id = $2 AND position = $3
     RETURNING 1 AS deleted`,
    [orgId, messageId, position],
  );
  return rows.length === 1;
}
