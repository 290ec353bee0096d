import type { FastifyReply } from 'fastify';
import type { StoredFile } from '../../lists/stored-file.ts';

/** Browsers keep it for a year. Opened as a page, it can run nothing and load nothing. */
export function sendStored(reply: FastifyReply, { contentType, bytes }: StoredFile): FastifyReply {
  return reply
    .headers({
      'content-type': contentType,
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'inline',
    })
    .send(bytes);
}
