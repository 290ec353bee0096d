import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { invalid } from '../../core/errors.ts';
import type { ByteRange, FileContent } from '../../lists/file-content.ts';
import { readRange } from './byte-range.ts';
import { contentDisposition } from './content-disposition.ts';
import { errorResponse } from './envelope.ts';
import { isKnown } from './tagged.ts';

interface ContentParts {
  now: Date;
  /** Rejects once the caller's key or session has ended. Asked before each piece. */
  check: () => Promise<unknown>;
  log: Logger;
}

/** Whatever it is, opened as a page it can run nothing and load nothing. */
export const CONTENT_POLICY = "sandbox; default-src 'none'";

/** A page that names such a file as its script or style finds no such thing. */
const RUNNABLE = /^(text|application)\/(javascript|css)$/;

/** Sends a file, or the part of it that is asked for, no faster than it is read. */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: FileContent,
  parts: ContentParts,
): Promise<FastifyReply> {
  const { name, mediaType, size, etag, isInline } = content;
  void reply.headers({
    etag,
    'accept-ranges': 'bytes',
    // A browser may keep it, but has to ask: the next caller may not be allowed to see it.
    'cache-control': 'private, no-cache',
    'content-security-policy': CONTENT_POLICY,
  });
  if (isKnown(request, etag)) return reply.code(304).send();
  const wanted = isRangeValid(request, etag) ? readRange(request.headers.range, size) : 'all';
  if (wanted === 'none') return refuseRange(request, reply, size, parts.now);
  const range = wanted === 'all' ? { start: 0, end: size - 1 } : wanted;
  // A stream, or the length would be that of nothing. Opened first: a refusal must not have these headers.
  const stream =
    request.method === 'HEAD' ? Readable.from([]) : await streamOf(content, range, parts);
  void reply.headers({
    'content-type': RUNNABLE.test(mediaType) ? 'text/plain' : mediaType,
    'content-length': range.end - range.start + 1,
    'content-disposition': contentDisposition(isInline ? 'inline' : 'attachment', name),
  });
  if (wanted !== 'all') {
    void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  }
  return reply.send(stream);
}

async function streamOf(
  content: FileContent,
  range: ByteRange,
  { check, log }: ContentParts,
): Promise<Readable> {
  const source = await content.open(range);
  const stream = Readable.from(checked(source, check), { objectMode: false });
  stream.on('error', (error) => log.warn({ err: error }, 'content of a file ended early'));
  return stream;
}

async function* checked(
  source: AsyncIterable<Uint8Array>,
  check: () => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    await check();
    yield piece;
  }
}

/** With If-Range, a range counts only if it is of these bytes. */
function isRangeValid({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-range'];
  return known === undefined || known === etag;
}

function refuseRange(
  { id }: FastifyRequest,
  reply: FastifyReply,
  size: number,
  now: Date,
): FastifyReply {
  const message = `the file has ${size} bytes`;
  const error = invalid([{ location: 'header.range', code: 'invalid_value', message }]);
  return reply
    .code(416)
    .headers({ 'content-range': `bytes */${size}`, 'cache-control': 'no-store' })
    .header('content-type', 'application/json; charset=utf-8')
    .send(errorResponse(error, id, now).body);
}
