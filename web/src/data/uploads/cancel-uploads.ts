import type { Atrium } from '@atrium/sdk';
import type { Upload } from './upload.ts';
import { dropUpload } from './uploads.ts';

/** Forgets them, here and on the server. What the server misses of this, it purges after a day. */
export async function cancelUploads(
  owner: string,
  client: Atrium,
  uploads: readonly Upload[],
): Promise<void> {
  for (const { id } of uploads) dropUpload(owner, id);
  const fileIds = uploads.flatMap(({ fileId }) => fileId ?? []);
  await Promise.all(fileIds.map((id) => client.files.delete(id).catch(() => {})));
}
