import type { Database } from '../../../src/db/types.ts';
import type { Person } from '../factories.ts';
import type { Call } from './client.ts';
import { beginUpload, uploadFile } from './uploads.ts';

/** Uploads a small text. It is READY if the server has a worker that is fast enough, and otherwise CHECKING. */
export async function uploadText(
  call: Call,
  { key }: Pick<Person, 'key'>,
  projectId: string,
  name = 'notes.txt',
): Promise<string> {
  const bytes = Buffer.from('Some notes.');
  return (await uploadFile({ call, key }, { projectId, bytes, name })).id;
}

/** Nothing has arrived yet. */
export async function openUpload(
  call: Call,
  { key }: Pick<Person, 'key'>,
  projectId: string,
  name: string,
): Promise<{ id: string }> {
  return beginUpload({ call, key }, { projectId, bytes: Buffer.from('Some notes.'), name });
}

/** As the check of its bytes leaves it. */
export async function failFile(
  db: Database,
  orgId: string,
  fileId: string,
  status: 'FAILED' | 'REFUSED',
  reason: string,
): Promise<void> {
  await db.query('UPDATE files SET status = $3, reason = $4 WHERE org_id = $1 AND id = $2', [
    orgId,
    fileId,
    status,
    reason,
  ]);
}

/** When it is purged. Null while something uses it. */
export async function purgeTimeOf(
  db: Database,
  orgId: string,
  fileId: string,
): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(
    'SELECT purge_at AS at FROM files WHERE org_id = $1 AND id = $2',
    [orgId, fileId],
  );
  if (!row) throw new Error(`there is no file ${fileId}`);
  return row.at;
}
