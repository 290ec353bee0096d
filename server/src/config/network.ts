import { isIP } from 'node:net';
import { ConfigError } from './config-error.ts';
import { list } from './values.ts';

export type TrustProxy = boolean | string[] | ((address: string, hop: number) => boolean);

export type CorsOrigins = '*' | string[];

export function hostName(name: string, value: string): string {
  if (isIP(value) || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(value)) return value;
  throw new ConfigError(name, `must be an address or a host name to listen on, not "${value}"`);
}

export function publicUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search) {
    throw new ConfigError(
      'PUBLIC_URL',
      `must be an origin such as https://atrium.example.com, without a path, not "${value}"`,
    );
  }
  return url.origin;
}

export function trustProxy(value: string | undefined): TrustProxy {
  if (value === undefined || value === 'false') return false;
  // Only the last addresses in X-Forwarded-For come from proxies; the client can write the others.
  const hops = value === 'true' ? 1 : /^\d{1,2}$/.test(value) ? Number(value) : undefined;
  if (hops !== undefined) return (_address, hop) => hop < hops;
  const entries = list(value);
  for (const entry of entries) {
    const [address = '', bits, ...rest] = entry.split('/');
    const named = ['loopback', 'linklocal', 'uniquelocal'].includes(entry);
    const range = rest.length === 0 && isRange(address, bits);
    if (!named && !range) {
      throw new ConfigError(
        'TRUST_PROXY',
        `must be true, false, a number of hops, or a list of addresses and ranges; "${entry}" is not valid`,
      );
    }
  }
  return entries;
}

function isRange(address: string, bits: string | undefined): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

export function corsOrigins(value: string | undefined): CorsOrigins {
  if (value === undefined) return [];
  if (value === '*') return '*';
  return list(value).map((entry) => {
    const url = URL.canParse(entry) ? new URL(entry) : undefined;
    if (!url || url.origin === 'null' || url.origin !== entry.toLowerCase()) {
      throw new ConfigError(
        'CORS_ORIGINS',
        `must be * or a list of origins such as https://app.example.com; "${entry}" is not an origin`,
      );
    }
    return url.origin;
  });
}

/** A list of `host:port`; the port may be left out. */
export function hostPorts(name: string, value: string | undefined, usualPort: number): string[] {
  return list(value ?? '').map((entry) => {
    const url = URL.canParse(`https://${entry}`) ? new URL(`https://${entry}`) : undefined;
    const isHost = url?.pathname === '/' && !url.search && !url.hash && !url.username;
    const port = Number(/:(\d+)$/.exec(entry)?.[1] ?? usualPort);
    // A star would match only itself, which is never what its author means.
    if (!url || !isHost || port === 0 || /[/@?#\\*]/.test(entry)) {
      throw new ConfigError(name, `must be a list of host:port; "${entry}" is not valid`);
    }
    return `${url.hostname}:${port}`;
  });
}

export function slackOrigin(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === 'https:' && url.pathname === '/' && !url.search) return url.origin;
  throw new ConfigError(
    'SLACK_API_BASE',
    `must be an origin such as https://localhost:8443, without a path, not "${value}"`,
  );
}

export function requireAddress(server: string): string {
  const host = server.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '');
  if (isIP(host)) return server;
  throw new ConfigError('DNS_SERVERS', `must be a list of address:port; "${server}" is not valid`);
}
