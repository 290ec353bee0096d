import { conflict, notFound } from '../../../core/errors.ts';
import type { UserContext } from '../../../core/context.ts';
import { createOrgLimit } from '../../../core/org-limit.ts';
import type { FileContent } from '../../../lists/file-content.ts';
import { withLocalCopy } from '../local-copy.ts';
import { hasPreview, PDF } from '../media-types.ts';
import { explained } from '../storage-errors.ts';
import { findReadableFile, type FileRow } from '../store.ts';
import { forgetPreview, keepPreview } from './store.ts';

/** Previews of these widths are kept. Others are made for each request. */
const KEPT_WIDTHS = new Set([160, 320, 480, 640, 960, 1280, 1600, 2048]);
/** How many are made for one organisation at a time, so that others find room. */
const limited = createOrgLimit(2);

interface Wanted {
  width: number;
  page: number;
}

/** A WebP of a picture, or of a page of a PDF. 404 if there is none. */
export async function openPreview(
  ctx: UserContext,
  fileId: string,
  wanted: Wanted,
): Promise<FileContent> {
  const file = await findReadableFile(ctx, fileId);
  if (!file) throw notFound('This file');
  if (file.status === 'UPLOADING' || file.status === 'CHECKING') {
    throw conflict('file_not_ready', 'This file is not ready yet. Try again in some seconds.', {
      status: file.status,
    });
  }
  const page = file.mediaType === PDF ? wanted.page : 1;
  if (file.status !== 'READY' || !hasPreview(file.mediaType) || page !== wanted.page) {
    throw notFound('A preview of this file');
  }
  return contentOf(file, wanted, await explained(ctx.log, () => readPreview(ctx, file, wanted)));
}

function contentOf(file: FileRow, { width, page }: Wanted, bytes: Uint8Array): FileContent {
  return {
    name: `${file.name}.webp`,
    mediaType: 'image/webp',
    size: bytes.length,
    etag: `"${file.sha256?.slice(0, 32)}-${width}-${page}"`,
    isInline: true,
    async open(range) {
      return oneOf(range ? bytes.subarray(range.start, range.end + 1) : bytes);
    },
  };
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function readPreview(ctx: UserContext, file: FileRow, wanted: Wanted): Promise<Uint8Array> {
  const key = previewKey(file, wanted);
  const kept = await readKept(ctx, key);
  if (kept) return kept;
  return limited(ctx.orgId, async () => {
    // Somebody else may have waited for the same one.
    const meanwhile = await readKept(ctx, key);
    if (meanwhile) return meanwhile;
    const { mediaType, name } = file;
    const picture = await withLocalCopy(ctx, file, (path) =>
      ctx.fileReader.preview({ path, mediaType, name }, wanted),
    );
    if (!picture) throw notFound('A preview of this file');
    if (KEPT_WIDTHS.has(wanted.width)) await keep(ctx, file, key, picture.bytes);
    return picture.bytes;
  });
}

/** It begins with the key of the file's bytes, with which it is deleted. */
function previewKey({ storageKey }: FileRow, { width, page }: Wanted): string {
  return `${storageKey}.w${width}p${page}`;
}

async function readKept({ storage }: UserContext, key: string): Promise<Uint8Array | undefined> {
  if ((await storage.sizeOf(key)) === undefined) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of await storage.read(key)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** For a week. It is noted first, so that nothing is left that nobody knows of. If it fails, nothing is lost. */
async function keep(ctx: UserContext, file: FileRow, key: string, bytes: Buffer): Promise<void> {
  try {
    if (!(await keepPreview(ctx, file.id, key))) return;
    await ctx.storage.write(key, oneOf(bytes), bytes.length);
    // The file may have been deleted in between, and this preview with it, before it was there.
    if (await keepPreview(ctx, file.id, key)) return;
    await ctx.storage.delete(key);
    await forgetPreview(ctx, key);
  } catch (error) {
    ctx.log.warn({ err: error, fileId: file.id }, 'could not keep a preview');
  }
}
