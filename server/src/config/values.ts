import { ConfigError } from './config-error.ts';
import { isEmail } from '../core/email.ts';

export function integer(
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

export function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((entry) => entry === value);
  if (!found) throw new ConfigError(name, `must be one of ${allowed.join(', ')}, not "${value}"`);
  return found;
}

export function email(name: string, value: string): string {
  if (!isEmail(value)) throw new ConfigError(name, `must be an email address, not "${value}"`);
  return value;
}

export function serviceUrl(
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

/** ioredis decodes the parts of its URL, and takes the path for the number of a database. */
export function redisUrl(name: string, value: string | undefined): string | undefined {
  const text = serviceUrl(name, value, ['redis:', 'rediss:']);
  if (text === undefined) return undefined;
  const { hostname, username, password, pathname } = new URL(text);
  const isValid =
    hostname !== '' &&
    isDecodable(username) &&
    isDecodable(password) &&
    /^(\/\d{0,9})?$/.test(pathname);
  if (isValid) return text;
  throw new ConfigError(
    name,
    'must look like redis://user:password@cache.example.com:6379/0, with special characters percent-encoded',
  );
}

export function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

export function list(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}
