import { validateHostHeader } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { forbidden } from '../core/errors.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Protects against DNS rebinding: the request must name this server's host, and must not come from a page
 * unless that page's origin is allowed.
 */
export function createGuard({
  publicUrl,
  host,
  corsOrigins,
}: Pick<Config, 'publicUrl' | 'host' | 'corsOrigins'>): (request: FastifyRequest) => void {
  const publicHost = new URL(publicUrl).hostname;
  const isLocal = [publicHost, host, `[${host}]`].some((name) => LOOPBACK.includes(name));
  const hosts = isLocal ? [publicHost, ...LOOPBACK] : [publicHost];

  return (request) => {
    // Behind a trusted proxy (TRUST_PROXY) this is X-Forwarded-Host.
    const asked = request.host;
    if (!validateHostHeader(asked, hosts).ok) {
      throw forbidden('cross_origin', `Use this server's own address, ${publicUrl}/api/mcp.`);
    }
    const origin = request.headers.origin?.toLowerCase();
    if (origin === undefined || corsOrigins === '*') return;
    const own = [publicUrl, `http://${asked}`, `https://${asked}`, ...corsOrigins];
    if (!own.includes(origin)) {
      throw forbidden('cross_origin', 'Pages from this origin are not allowed. See CORS_ORIGINS.');
    }
  };
}
