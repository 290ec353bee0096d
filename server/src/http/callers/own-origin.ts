import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { forbidden } from '../../core/errors.ts';

/**
 * A browser sends the cookie whichever site's page makes the request. So changes must come from our own
 * pages, and so must sign-in, or another site could sign people in as someone else.
 */
export function requireOwnOrigin(request: FastifyRequest, publicUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === undefined ? site === 'same-origin' : isOwn(origin, request.host, publicUrl)) {
    return;
  }
  throw forbidden(
    'cross_origin',
    `This request did not come from a page on ${publicUrl}. Open Atrium at that address, or set PUBLIC_URL to the address you use.`,
  );
}

/** Also allows the machine's own address: unlike a host name, nobody else can make it point here. */
function isOwn(origin: string, host: string, publicUrl: string): boolean {
  if (origin === publicUrl) return true;
  if (origin !== `http://${host}` && origin !== `https://${host}`) return false;
  const { hostname } = new URL(origin);
  return hostname === 'localhost' || isIP(hostname.replaceAll(/[[\]]/g, '')) > 0;
}
