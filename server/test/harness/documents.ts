import { newId } from '../../src/core/ids.ts';
import type { Database } from '../../src/db/types.ts';

/** A shared file whose text was read, without uploading it or waiting for its reader. */
export async function addDocument(
  db: Database,
  orgId: string,
  { projectId, uploadedById }: { projectId: string; uploadedById: string },
): Promise<{ fileId: string; documentId: string }> {
  const [fileId, documentId] = [newId(), newId()];
  await db.query(
    `INSERT INTO files (org_id, id, project_id, name, media_type, size, sha256, status, text_status,
       is_shared, uploaded_by_id, storage_key)
     VALUES ($1, $2, $3, 'a.txt', 'text/plain', 5, 'none', 'READY', 'READY', true, $4, 'none')`,
    [orgId, fileId, projectId, uploadedById],
  );
  await db.query(
    `INSERT INTO file_pages (org_id, file_id, page, text, is_scanned) VALUES ($1, $2, 1, 'Hello', false)`,
    [orgId, fileId],
  );
  await db.query(
    `INSERT INTO documents (org_id, id, project_id, file_id, language, passages, characters, updated_at)
     VALUES ($1, $2, $3, $4, 'en', 0, 5, now())`,
    [orgId, documentId, projectId, fileId],
  );
  return { fileId, documentId };
}
