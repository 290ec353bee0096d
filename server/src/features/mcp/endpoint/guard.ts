import { validateHostHeader } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../../config/config.ts';
import { forbidden } from '../../../errors.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Against pages that reach this server through a name of their own (DNS rebinding): the request must
 * name a host of ours, and come from no page or from one that may call.
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
    // Of a trusted proxy (TRUST_PROXY) this is what its client asked for: X-Forwarded-Host.
    const asked = request.host;
    if (!validateHostHeader(asked, hosts).ok) {
      throw forbidden('cross_origin', `Call this server by its own address, ${publicUrl}/api/mcp.`);
    }
    const origin = request.headers.origin?.toLowerCase();
    if (origin === undefined || corsOrigins === '*') return;
    const own = [publicUrl, `http://${asked}`, `https://${asked}`, ...corsOrigins];
    if (!own.includes(origin)) {
      throw forbidden('cross_origin', 'Pages of this origin may not call; see CORS_ORIGINS.');
    }
  };
}
