import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebFile } from '../../web-app/files.ts';
import { isKnown } from './tagged.ts';

/** Sends a file compressed if the browser supports that, or 304 if the browser already has it. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
  /** Whether its URL contains a hash of its content. */
  isHashed: boolean,
): Promise<void> {
  const { br, gzip, identity, etag } = file;
  void reply.headers({
    'content-type': file.type,
    etag,
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...((br ?? gzip) && { vary: 'Accept-Encoding' }),
  });
  if (isKnown(request, etag)) {
    await reply.code(304).send();
    return;
  }
  const encoding = acceptedEncoding(request, file);
  if (encoding) void reply.header('content-encoding', encoding);
  await reply.send((encoding === 'br' ? br : encoding === 'gzip' ? gzip : undefined) ?? identity);
}

function acceptedEncoding(request: FastifyRequest, file: WebFile): 'br' | 'gzip' | undefined {
  const parts = (request.headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part));
  const accepted = new Set(parts.map((part) => part.split(';', 1)[0]?.trim()));
  return (['br', 'gzip'] as const).find((name) => file[name] && accepted.has(name));
}
