import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { Download } from '../../lists/download.ts';

interface DownloadParts {
  open: () => Promise<Download>;
  /** Rejects if the caller may no longer read this. */
  check: () => Promise<unknown>;
  log: Logger;
}

/** Sends the file as it is made, no faster than it is read. A failure ends the response early. */
export async function sendDownload(
  fileType: string,
  reply: FastifyReply,
  { open, check, log }: DownloadParts,
): Promise<FastifyReply> {
  void reply.headers({ 'content-type': fileType, 'cache-control': 'no-store' });
  // A stream, because nobody knows the length of the file.
  if (reply.request.method === 'HEAD') return reply.send(Readable.from([]));
  const download = await open();
  let closed: Promise<void> | undefined;
  const close = () =>
    (closed ??= download
      .close()
      .catch((error: unknown) => log.error({ err: error }, 'download not closed')));
  const source = closing(download.read(goOn), close);
  const stream = Readable.from(source);
  async function goOn(): Promise<void> {
    if (stream.destroyed) throw new Error('the reader has gone');
    await check();
  }
  stream.on('error', (error) => log.warn({ err: error }, 'download ended early'));
  // For a reader who goes before anything is read.
  stream.once('close', () => void close());
  return reply
    .header('content-disposition', `attachment; filename="${download.fileName}"`)
    .send(stream);
}

/** Ends once it is closed: whoever has the whole file may start the next download. */
async function* closing<T>(
  source: AsyncIterable<T>,
  close: () => Promise<void>,
): AsyncGenerator<T> {
  try {
    yield* source;
  } finally {
    await close();
  }
}
