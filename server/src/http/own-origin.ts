import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { forbidden } from '../errors.ts';

/**
 * A browser sends the cookie along whoever made the page that asks. So what changes something must come
 * from a page of ours, and so must signing in, or another site could sign people in as somebody else.
 */
export function requireOwnOrigin(request: FastifyRequest, publicUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === undefined ? site === 'same-origin' : isOwn(origin, request.host, publicUrl)) {
    return;
  }
  throw forbidden(
    'cross_origin',
    `This was not sent by a page of ${publicUrl}; open Atrium at that address, or have PUBLIC_URL name the one you use.`,
  );
}

/** Besides the public address, the machine's own: unlike a name, nobody else can make it point here. */
function isOwn(origin: string, host: string, publicUrl: string): boolean {
  if (origin === publicUrl) return true;
  if (origin !== `http://${host}` && origin !== `https://${host}`) return false;
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || isIP(hostname.replaceAll(/[[\]]/g, '')) > 0;
}
