import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import { ConfigError } from './config-error.ts';
import { readModels, type ModelConfig } from './models.ts';
import { variablesOf, type Environment, type Variables } from './variables.ts';
import { isEmail } from '../email.ts';

export { ConfigError };

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const SIGNUPS = ['invite', 'open'] as const;

export interface Config {
  port: number;
  host: string;
  publicUrl: string;
  trustProxy: boolean | string[] | ((address: string, hop: number) => boolean);
  corsOrigins: '*' | string[];
  dataDir: string;
  databaseUrl: string | undefined;
  databasePoolMax: number;
  redisUrl: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: MailAddress;
  /** If not set, see adapters/secrets/secrets-key.ts. */
  secretsKeys: SecretsKeys | undefined;
  embeddings: EmbeddingsConfig;
  models: readonly ModelConfig[];
  /** `host:port` of private MCP servers that may be called anyway. */
  mcpAllowHosts: readonly string[];
  /** `address:port` of the DNS servers that the outgoing-call guard uses. */
  dnsServers: readonly string[];
  stripe: StripeConfig;
  isProduction: boolean;
  rateLimitReads: number;
  rateLimitWrites: number;
  /** How many sign-in links, and how many passwords, a client may try in 15 minutes. */
  rateLimitSignIns: number;
  signup: (typeof SIGNUPS)[number];
  firstOwnerEmail: string;
  logLevel: (typeof LOG_LEVELS)[number];
  metricsPort: number | undefined;
}

/** 32 bytes each. The first one seals, and all of them open, so that keys can be rotated. */
export type SecretsKeys = readonly [Buffer, ...Buffer[]];

/** Which model embeds memories: the one that comes with Atrium, or an OpenAI-compatible service. */
export type EmbeddingsConfig =
  | { kind: 'local' }
  | {
      kind: 'openai';
      baseUrl: string;
      apiKey?: string;
      model: string;
      dimensions: number;
    };

export interface StripeConfig {
  /** If not set: the sandbox or, in production, no payments. */
  secretKey: string | undefined;
  webhookSecret: string | undefined;
  apiBase: string | undefined;
  /** Price ids by `<plan>_<interval>`. */
  prices: Readonly<Record<string, string>>;
}

export interface MailAddress {
  name: string;
  address: string;
}

/** Reads every environment variable, once. */
export function readConfig(env: Environment): Config {
  const variables = variablesOf(env);
  const { read, readSecret } = variables;
  const port = integer('PORT', read('PORT'), 3000, 0, 65_535);
  return {
    port,
    host: hostName('HOST', read('HOST') ?? '127.0.0.1'),
    publicUrl: publicUrl(read('PUBLIC_URL') ?? `http://127.0.0.1:${port}`),
    trustProxy: trustProxy(read('TRUST_PROXY')),
    corsOrigins: corsOrigins(read('CORS_ORIGINS')),
    dataDir: resolve(read('DATA_DIR') ?? './data'),
    databaseUrl: serviceUrl('DATABASE_URL', readSecret('DATABASE_URL'), [
      'postgres:',
      'postgresql:',
    ]),
    databasePoolMax: integer('DATABASE_POOL_MAX', read('DATABASE_POOL_MAX'), 10, 1, 1000),
    redisUrl: serviceUrl('REDIS_URL', readSecret('REDIS_URL'), ['redis:', 'rediss:']),
    smtpUrl: smtpUrl(readSecret('SMTP_URL')),
    mailFrom: mailFrom(read('MAIL_FROM') ?? 'Atrium <atrium@localhost>'),
    secretsKeys: secretsKeys(readSecret('SECRETS_KEY')),
    embeddings: embeddings(variables),
    models: readModels(env),
    mcpAllowHosts: hostPorts('MCP_ALLOW_HOSTS', read('MCP_ALLOW_HOSTS'), 443),
    dnsServers: hostPorts('DNS_SERVERS', read('DNS_SERVERS'), 53).map(requireAddress),
    stripe: stripe(variables),
    isProduction: read('NODE_ENV') === 'production',
    rateLimitReads: integer('RATE_LIMIT_READS', read('RATE_LIMIT_READS'), 60, 1, 1_000_000),
    rateLimitWrites: integer('RATE_LIMIT_WRITES', read('RATE_LIMIT_WRITES'), 20, 1, 1_000_000),
    rateLimitSignIns: integer('RATE_LIMIT_SIGN_INS', read('RATE_LIMIT_SIGN_INS'), 20, 1, 1_000_000),
    signup: oneOf('SIGNUP', read('SIGNUP') ?? 'invite', SIGNUPS),
    firstOwnerEmail: email('FIRST_OWNER_EMAIL', read('FIRST_OWNER_EMAIL') ?? 'owner@localhost'),
    logLevel: oneOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', LOG_LEVELS),
    metricsPort: read('METRICS_PORT')
      ? integer('METRICS_PORT', read('METRICS_PORT'), 0, 0, 65_535)
      : undefined,
  };
}

/** Undefined if there is none, or if one is not 32 bytes. */
export function parseSecretsKeys(texts: readonly string[]): SecretsKeys | undefined {
  const [first, ...others] = texts.map(parseSecretsKey);
  const isWhole = (keys: readonly (Buffer | undefined)[]): keys is Buffer[] =>
    keys.every((key) => key !== undefined);
  return first && isWhole(others) ? [first, ...others] : undefined;
}

/** 32 bytes written as base64 (or base64url) or hex; undefined if it is anything else. */
function parseSecretsKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function integer(
  name: string,
  value: string | undefined,
  fallback: number,
  min: number,
  max: number,
): number {
  if (value === undefined) return fallback;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) {
    throw new ConfigError(name, `must be a whole number from ${min} to ${max}, not "${value}"`);
  }
  return number;
}

const PRICED_PLANS = ['pro', 'team', 'enterprise'];
const PRICED_INTERVALS = ['monthly', 'annual'];

function stripe({ read, readSecret }: Variables): StripeConfig {
  const secretKey = readSecret('STRIPE_SECRET_KEY');
  const webhookSecret = readSecret('STRIPE_WEBHOOK_SECRET');
  const apiBase = serviceUrl('STRIPE_API_BASE', read('STRIPE_API_BASE'), ['http:', 'https:']);
  if (secretKey !== undefined && webhookSecret === undefined) {
    throw new ConfigError(
      'STRIPE_WEBHOOK_SECRET',
      'is required with STRIPE_SECRET_KEY: payment events arrive by webhook',
    );
  }
  const prices: Record<string, string> = {};
  for (const plan of PRICED_PLANS) {
    for (const interval of PRICED_INTERVALS) {
      const id = read(`STRIPE_PRICE_${plan.toUpperCase()}_${interval.toUpperCase()}`);
      if (id !== undefined) prices[`${plan}_${interval}`] = id;
    }
  }
  return { secretKey, webhookSecret, apiBase, prices };
}

/** A list of `host:port`; the port may be left out. */
function hostPorts(name: string, value: string | undefined, usualPort: number): string[] {
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

function requireAddress(server: string): string {
  const host = server.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '');
  if (isIP(host)) return server;
  throw new ConfigError('DNS_SERVERS', `must be a list of address:port; "${server}" is not valid`);
}

const OPENAI_URL = 'https://api.openai.com/v1';

/** `local`, `openai`, or `openai:<model>:<dimensions>` for any model of an OpenAI-compatible service. */
function embeddings({ read, readSecret }: Variables): EmbeddingsConfig {
  const value = read('EMBEDDINGS') ?? 'local';
  if (value === 'local') return { kind: 'local' };
  const [, model, dimensions] = /^openai(?::(.+):(\d{1,4}))?$/.exec(value) ?? [];
  const size = Number(dimensions ?? 1536);
  if (!/^openai(:|$)/.test(value) || (value !== 'openai' && !model) || size < 1 || size > 1536) {
    throw new ConfigError(
      'EMBEDDINGS',
      `must be local, openai, or openai:<model>:<dimensions up to 1536>, not "${value}"`,
    );
  }
  const apiKey = readSecret('OPENAI_API_KEY');
  const baseUrl = serviceUrl('OPENAI_BASE_URL', read('OPENAI_BASE_URL'), ['http:', 'https:']);
  if (apiKey === undefined && baseUrl === undefined) {
    throw new ConfigError(
      'EMBEDDINGS',
      'openai needs OPENAI_API_KEY, or OPENAI_BASE_URL for a service without keys',
    );
  }
  return {
    kind: 'openai',
    baseUrl: (baseUrl ?? OPENAI_URL).replace(/\/+$/, ''),
    ...(apiKey !== undefined && { apiKey }),
    model: model ?? 'text-embedding-3-small',
    dimensions: size,
  };
}

function hostName(name: string, value: string): string {
  if (isIP(value) || /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(value)) return value;
  throw new ConfigError(name, `must be an address or a host name to listen on, not "${value}"`);
}

function publicUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search) {
    throw new ConfigError(
      'PUBLIC_URL',
      `must be an origin such as https://atrium.example.com, without a path, not "${value}"`,
    );
  }
  return url.origin;
}

function trustProxy(value: string | undefined): Config['trustProxy'] {
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

function corsOrigins(value: string | undefined): Config['corsOrigins'] {
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

function serviceUrl(
  name: string,
  value: string | undefined,
  protocols: string[],
): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !protocols.includes(url.protocol)) {
    // The value is not quoted, because it may contain a password.
    throw new ConfigError(name, `must be a URL that starts with ${protocols.join('// or ')}//`);
  }
  return value;
}

function smtpUrl(value: string | undefined): string | undefined {
  const name = 'SMTP_URL';
  const text = serviceUrl(name, value, ['smtp:', 'smtps:']);
  if (text === undefined) return undefined;
  const { hostname, pathname, username, password, searchParams, hash } = new URL(text);
  if (!isDecodable(username) || !isDecodable(password) || hash || !/^\/?$/.test(pathname)) {
    throw new ConfigError(
      name,
      'must look like smtps://user:password@mail.example.com:465, with special characters percent-encoded',
    );
  }
  if (!isMailHost(hostname))
    throw new ConfigError(name, 'must contain the host name of a mail server');
  for (const [key, setting] of searchParams) {
    if (key === 'requireTLS' && /^(true|false)$/.test(setting)) continue;
    throw new ConfigError(name, 'supports only one setting after the ?: requireTLS=true');
  }
  return text;
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

function isMailHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isIP(hostname.slice(1, -1)) === 6;
  return isDecodable(hostname) && domainToASCII(decodeURIComponent(hostname)) !== '';
}

function mailFrom(value: string): MailAddress {
  const [, quoted = '', inner] = /^([^<>]*)<([^<>]*)>$/.exec(value) ?? [];
  const from = {
    name: quoted.trim().replace(/^"([^"]*)"$/, '$1'),
    address: (inner ?? value).trim(),
  };
  if (!isEmail(from.address) || from.name.length > 120 || /\p{C}/u.test(from.name)) {
    throw new ConfigError(
      'MAIL_FROM',
      'must be an email address, with or without a name: Atrium <atrium@example.com>',
    );
  }
  return from;
}

function secretsKeys(value: string | undefined): SecretsKeys | undefined {
  if (value === undefined) return undefined;
  // A file has one key per line, as the one in DATA_DIR does.
  const keys = parseSecretsKeys(list(value.replaceAll('\n', ',')));
  if (keys) return keys;
  // The value is not quoted, because it is a secret even with a typo in it.
  throw new ConfigError(
    'SECRETS_KEY',
    'must be 32 bytes as base64 or hex, or a list of such keys; create one with `openssl rand -base64 32`',
  );
}

function email(name: string, value: string): string {
  if (!isEmail(value)) throw new ConfigError(name, `must be an email address, not "${value}"`);
  return value;
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((entry) => entry === value);
  if (!found) throw new ConfigError(name, `must be one of ${allowed.join(', ')}, not "${value}"`);
  return found;
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}
