import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createFolderStorage } from '../../src/adapters/storage/folder-storage.ts';
import { newId } from '../../src/core/ids.ts';
import type { Database } from '../../src/db/types.ts';

export interface StoredFile {
  orgId: string;
  projectId: string;
  uploadedById: string;
  name: string;
  mediaType: string;
  content: string;
  isShared?: boolean;
  /** What it is attached to. */
  messageId?: string;
}

/** A file that is READY, in the folder of a server with this DATA_DIR, as if it had been uploaded. */
export async function addStoredFile(
  db: Database,
  dataDir: string,
  file: StoredFile,
): Promise<{ id: string; name: string; mediaType: string }> {
  const { orgId, name, mediaType } = file;
  const isShared = file.isShared ?? false;
  const id = newId();
  const key = `${orgId}/${newId()}`;
  const bytes = Buffer.from(file.content);
  const source = (async function* () {
    yield bytes;
  })();
  await createFolderStorage(join(dataDir, 'files')).write(key, source, bytes.length);
  await db.query(
    `INSERT INTO files (org_id, id, project_id, name, media_type, size, sha256, status, storage_key,
       uploaded_by_id, is_shared, purge_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'READY', $8, $9, $10,
       CASE WHEN $11 THEN NULL ELSE now() + interval '1 day' END)`,
    [
      orgId,
      id,
      file.projectId,
      name,
      mediaType,
      bytes.length,
      createHash('sha256').update(bytes).digest('hex'),
      key,
      file.uploadedById,
      isShared,
      isShared || file.messageId !== undefined,
    ],
  );
  if (file.messageId !== undefined) {
    await db.query(
      `INSERT INTO file_uses (org_id, file_id, used_by_id, message_id, position)
       VALUES ($1, $2, $3, $3, 0)`,
      [orgId, id, file.messageId],
    );
    await db.query('UPDATE messages SET has_files = true WHERE org_id = $1 AND id = $2', [
      orgId,
      file.messageId,
    ]);
  }
  return { id, name, mediaType };
}
