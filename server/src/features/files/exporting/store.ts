import { CAN_READ_FILE } from '../../../access/files.ts';
import { callerOf } from '../../../access/standing.ts';
import type { UserContext } from '../../../core/context.ts';
import { RECORDS_PER_PAGE, type RecordQuery, type ScannedRow } from '../../../lists/record-page.ts';
import { FILE_COLUMNS, type FileRow } from '../store.ts';

/**
 * All that are attached or shared, or those that the caller uploaded and may read. What nothing uses is its uploader's
 * alone, so it is not in the organisation's export.
 */
export function scanFiles(
  ctx: UserContext,
  { isOwn, after }: RecordQuery,
): Promise<ScannedRow<FileRow>[]> {
  return ctx.db.query(
    `SELECT page.id AS at, ${FILE_COLUMNS}
     FROM (SELECT id FROM files WHERE org_id = $1 AND id > $4 ORDER BY id LIMIT $6) page
     LEFT JOIN files f ON f.org_id = $1 AND f.id = page.id AND CASE WHEN $5
       THEN f.uploaded_by_id = $2 AND EXISTS (SELECT 1 FROM projects p
         WHERE p.org_id = $1 AND p.id = f.project_id AND ${CAN_READ_FILE})
       ELSE f.purge_at IS NULL END
     ORDER BY page.id`,
    [...callerOf(ctx), after, isOwn, RECORDS_PER_PAGE],
  );
}
