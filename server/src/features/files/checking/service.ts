import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { StorageMissing, StorageUnavailable } from '../../../adapters/storage/storage.ts';
import { withTransaction, type Context, type EventContext } from '../../../core/context.ts';
import { newCopyPath } from '../../../disk/spool-file.ts';
import { emit } from '../../../events/emit.ts';
import { newStorageKey } from '../adding.ts';
import { withLocalCopy } from '../local-copy.ts';
import {
  HEAD_BYTES,
  hasText,
  isPicture,
  mayBeInline,
  mediaTypeOf,
  PDF,
  UNKNOWN_TYPE,
} from '../media-types.ts';
import { deleteBytes } from '../removal/service.ts';
import { forgetRemains, noteRemains } from '../removal/store.ts';
import { findAudience, findFile, type FileRow } from '../store.ts';
import { CHECK_FILE } from './job-kind.ts';
import { markReady, markUnusable, type Checked } from './store.ts';

/** How long a check waits for a scanner or a storage that is gone. */
const TRY_AGAIN_MS = 30_000;
/** A copy that no file has after this long is of a check that died. */
const COPY_SECONDS = 3600;

type Found = Omit<Checked, 'storageKey'>;

/** Nobody reads a file before this is done. It may run twice, and in two processes. */
export async function checkFile(ctx: Context, fileId: string, signal: AbortSignal): Promise<void> {
  const file = await findFile(ctx, fileId);
  if (file?.status !== 'CHECKING' || file.storageKey === null) return;
  const key = file.storageKey;
  try {
    const [type, scanned] = [await typeOf(ctx, key, file), await scan(ctx, key, signal)];
    if (scanned.found !== null) {
      await endCheck(ctx, fileId, 'REFUSED', `It contains malware: ${scanned.found}`);
      return;
    }
    if (scanned.bytes !== file.size) throw new StorageMissing(key);
    const found = { mediaType: type, size: file.size, sha256: scanned.sha256 };
    await withLocalCopy(ctx, file, (path) => finishCheck(ctx, file, path, found, signal));
  } catch (error) {
    if (error instanceof StorageMissing) {
      await endCheck(ctx, fileId, 'FAILED', 'Its bytes were lost. Upload it again.');
      return;
    }
    if (!(error instanceof StorageUnavailable) && !(error instanceof ScannerGone)) throw error;
    ctx.log.warn({ err: error, fileId }, 'could not check a file, will retry');
    await withTransaction(ctx, async ({ db, jobs, orgId }) => {
      const job = { kind: CHECK_FILE, payload: { orgId, fileId }, lane: orgId };
      jobs.enqueue(db, { ...job, delayMs: TRY_AGAIN_MS, unlessQueued: true });
    });
  }
}

/** After the last attempt. */
export async function giveUpCheck(ctx: Context, fileId: string): Promise<void> {
  await endCheck(ctx, fileId, 'FAILED', 'The server could not check it. Upload it again.');
}

class ScannerGone extends Error {}

/** The hash of the bytes, which a scanner reads at the same time. */
async function scan(ctx: Context, key: string, signal: AbortSignal) {
  const hash = createHash('sha256');
  const counted = { bytes: 0 };
  const source = hashing(await ctx.storage.read(key), hash, signal, counted);
  let found: string | null = null;
  if (ctx.scanner) {
    found = await ctx.scanner.scan(source, signal).catch((error: unknown) => {
      if (error instanceof StorageUnavailable) throw error;
      throw new ScannerGone('the scanner did not answer', { cause: error });
    });
  }
  // A scanner need not read everything.
  for await (const _ of source);
  return { found, ...counted, sha256: hash.digest('hex') };
}

async function* hashing(
  source: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
  signal?: AbortSignal,
  counted = { bytes: 0 },
): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    signal?.throwIfAborted();
    hash.update(piece);
    counted.bytes += piece.length;
    yield piece;
  }
}

async function typeOf(
  { storage }: Context,
  key: string,
  { name, size, mediaType: claimed }: FileRow,
): Promise<string> {
  const read = async (start: number, end: number) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of await storage.read(key, { start, end })) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  const head = await read(0, Math.min(size, HEAD_BYTES) - 1);
  const tail = size <= HEAD_BYTES ? head : await read(size - HEAD_BYTES, size - 1);
  return mediaTypeOf(head, name, claimed, tail);
}

/** Pictures lose what is only about them, and are turned upright. What can't be shown is not called a picture. */
async function finishCheck(
  ctx: Context,
  file: FileRow,
  path: string,
  { mediaType, size, sha256 }: Pick<Found, 'mediaType' | 'size' | 'sha256'>,
  signal: AbortSignal,
): Promise<void> {
  const read = { path, mediaType, name: file.name };
  const found = { mediaType, size, sha256, image: null, pages: null, hasText: hasText(mediaType) };
  if (mediaType === PDF) found.pages = (await ctx.fileReader.countPages(read, signal)) as null;
  if (!isPicture(mediaType)) return setReady(ctx, file, found);
  const copy = await newCopyPath(ctx.spoolFolder);
  try {
    const picture = await ctx.fileReader.cleanPicture(read, copy, signal);
    if (!picture) {
      const shown = mayBeInline(mediaType) ? UNKNOWN_TYPE : mediaType;
      return await setReady(ctx, file, { ...found, mediaType: shown, hasText: hasText(shown) });
    }
    const { width, height, isCopied } = picture;
    const image = { width, height };
    return await setReady(ctx, file, { ...found, image }, isCopied ? copy : undefined);
  } finally {
    await rm(copy, { force: true });
  }
}

/** The bytes are durable before the commit that says READY, and those that they replace are deleted after it. */
async function setReady(ctx: Context, file: FileRow, found: Found, copy?: string): Promise<void> {
  const before = file.storageKey as string;
  const stored = copy === undefined ? undefined : await storeCopy(ctx, copy);
  const checked = { ...found, storageKey: before, ...stored };
  const isReady = await withTransaction(ctx, async (inner) => {
    if (!(await markReady(inner, file.id, before, checked))) return false;
    if (stored) {
      await forgetRemains(inner, stored.storageKey);
      await noteRemains(inner, before);
    }
    await tell(inner, file.id, 'READY');
    return true;
  });
  if (!stored) return;
  if (!isReady) await noteRemains(ctx, stored.storageKey);
  await deleteBytes(ctx, isReady ? before : stored.storageKey);
}

async function storeCopy(ctx: Context, path: string) {
  const { size } = await stat(path);
  const storageKey = newStorageKey(ctx.orgId);
  // Until a file has it, it is to be deleted.
  await noteRemains(ctx, storageKey, null, COPY_SECONDS);
  const hash = createHash('sha256');
  await ctx.storage.write(storageKey, hashing(createReadStream(path), hash), size);
  return { storageKey, size, sha256: hash.digest('hex') };
}

async function endCheck(
  ctx: Context,
  fileId: string,
  status: 'FAILED' | 'REFUSED',
  reason: string,
): Promise<void> {
  const storageKey = await withTransaction(ctx, async (inner) => {
    const key = await markUnusable(inner, fileId, { status, reason });
    if (key === undefined) return undefined;
    await noteRemains(inner, key);
    await tell(inner, fileId, status);
    return key;
  });
  if (storageKey !== undefined) await deleteBytes(ctx, storageKey);
}

async function tell(
  ctx: EventContext,
  fileId: string,
  status: 'READY' | 'FAILED' | 'REFUSED',
): Promise<void> {
  const audience = await findAudience(ctx, fileId);
  if (audience) emit(ctx, { type: 'file.checked', fileId, status, ...audience });
}
