import { AtriumError, ConflictError, ConnectionError, TimeoutError, UsageError } from './errors.ts';
import type { RequestOptions } from './options.ts';
import { backoff, sleep } from './retry.ts';
import type { Transport } from './transport.ts';
import type { FileUpload, File } from './types.ts';
import { openSource, type Pieces, type SourceFacts, type UploadSource } from './upload-source.ts';

/** How far an upload is. `fileId` is what `resume` takes. */
export interface UploadProgress {
  fileId: string;
  /** Bytes that the server has. */
  sent: number;
  total: number;
}

export interface UploadOptions extends RequestOptions, SourceFacts {
  /** The id of a file whose upload was interrupted. The same bytes go on where it stopped. */
  resume?: string | undefined;
  /** Called when the upload is open, and after each piece. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

const FILE = '/files/{id}';
const UPLOAD = '/files/{id}/upload';
const FIRST_PIECE = 256 * 1024;
const SHORTEST_PIECE = 64 * 1024;
/** A piece takes about as long, so that progress is seen and little is sent twice. */
const PIECE_MS = 1_000;
/** In a row, without a byte more on the server. */
const MAX_FAILURES = 6;

/** Sends a file in pieces, as tus 1.0. After a failure it asks how much arrived, and goes on there. */
export async function upload(
  api: Transport,
  projectId: string,
  source: UploadSource,
  options: UploadOptions = {},
): Promise<File> {
  const pieces = await openSource(source, options);
  try {
    const fileId = options.resume ?? (await create(api, projectId, pieces, options));
    await sendPieces(api, fileId, pieces, options);
    return await api.path(FILE, fileId).get<File>(requestOf(options));
  } finally {
    await pieces.close();
  }
}

async function create(
  api: Transport,
  projectId: string,
  { name, size, mediaType }: Pieces,
  options: UploadOptions,
): Promise<string> {
  const params = { name, size, ...(mediaType && { mediaType }) };
  const { idempotencyKey } = options;
  const { id } = await api
    .path('/projects/{projectId}/files', projectId)
    .post<FileUpload>(params, { ...requestOf(options), idempotencyKey });
  return id;
}

async function sendPieces(
  api: Transport,
  fileId: string,
  pieces: Pieces,
  options: UploadOptions,
): Promise<void> {
  const { onProgress, resume, maxRetries = MAX_FAILURES, signal } = options;
  const total = pieces.size;
  let at: number | undefined = resume === undefined ? 0 : undefined;
  let arrived = 0;
  let length = FIRST_PIECE;
  for (let failures = 0; ;) {
    try {
      at ??= await findOffset(api, fileId, total, options);
      if (at > arrived) failures = 0;
      arrived = at;
      onProgress?.({ fileId, sent: at, total });
      if (at >= total) return;
      const content = await pieces.read(at, Math.min(length, pieces.longest, total - at));
      const start = performance.now();
      at = await sendPiece(api, fileId, { at, content }, options);
      length = lengthAfter(length, performance.now() - start, pieces.longest);
    } catch (error) {
      if (!mayGoOn(error) || ++failures > maxRetries) throw error;
      at = undefined;
      length = Math.max(SHORTEST_PIECE, length / 4);
      await sleep((error.retryAfter ?? 0) * 1000 || backoff(failures, 500, 8000), signal);
    }
  }
}

/** The response to the last piece may have been lost, and a finished upload has no offset. */
async function findOffset(
  api: Transport,
  fileId: string,
  total: number,
  options: UploadOptions,
): Promise<number> {
  const { status, size, name } = await api.path(FILE, fileId).get<File>(requestOf(options));
  if (status !== 'UPLOADING') return total;
  if (size !== total) {
    throw new UsageError(`The upload of ${name} has ${size} bytes, and this source ${total}.`);
  }
  return offsetOf(await api.tus('HEAD', UPLOAD, fileId, requestOf(options)));
}

async function sendPiece(
  api: Transport,
  fileId: string,
  { at, content }: { at: number; content: Blob | Uint8Array<ArrayBuffer> },
  options: UploadOptions,
): Promise<number> {
  const request = requestOf(options);
  const headers = { ...request.headers, 'Upload-Offset': String(at) };
  return offsetOf(await api.tus('PATCH', UPLOAD, fileId, { ...request, headers }, content));
}

function offsetOf(headers: Headers): number {
  const offset = Number(headers.get('Upload-Offset') ?? Number.NaN);
  if (Number.isInteger(offset)) return offset;
  throw new ConnectionError('The server did not say how much of the upload it has.', {
    code: 'CONNECTION_ERROR',
  });
}

function lengthAfter(length: number, ms: number, longest: number): number {
  const factor = Math.min(4, Math.max(0.25, PIECE_MS / Math.max(ms, 1)));
  return Math.round(Math.min(longest, Math.max(SHORTEST_PIECE, length * factor)));
}

/** A conflict says that the offset is another one, or that the piece before is still being written. */
function mayGoOn(error: unknown): error is AtriumError {
  if (!(error instanceof AtriumError)) return false;
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  if (error instanceof ConflictError) return error.reason !== 'quota_reached';
  return error.status !== undefined && (error.status >= 500 || error.status === 429);
}

function requestOf({ timeout, signal, headers }: UploadOptions): RequestOptions {
  return { timeout, signal, headers };
}

export interface ReadyOptions extends RequestOptions {
  /** Milliseconds for the whole wait. Default: 120,000. */
  timeout?: number | undefined;
  /** Also waits until its text was read, so that agents and searches find it. */
  text?: boolean | undefined;
}

const FIRST_POLL_MS = 250;
const LONGEST_POLL_MS = 3_000;

/** Polls a file until it was checked. Rejects if it was refused, or could not be stored. */
export async function waitUntilReady(
  api: Transport,
  id: string,
  { timeout = 120_000, text = false, ...options }: ReadyOptions = {},
): Promise<File> {
  const deadline = performance.now() + timeout;
  for (let attempt = 1; ; attempt++) {
    const file = await api.path(FILE, id).get<File>(options);
    if (file.status === 'FAILED' || file.status === 'REFUSED') {
      const why = file.reason ?? `it is ${file.status}`;
      throw new AtriumError(`${file.name} can't be used: ${why}`, {
        code: `FILE_${file.status}`,
        details: { file },
      });
    }
    if (file.status === 'READY' && !(text && file.text === 'PENDING')) return file;
    const pause = backoff(attempt, FIRST_POLL_MS, LONGEST_POLL_MS);
    if (performance.now() + pause > deadline) {
      throw new TimeoutError(`${file.name} was not ready within ${timeout} ms.`, {
        code: 'TIMEOUT',
      });
    }
    await sleep(pause, options.signal);
  }
}
