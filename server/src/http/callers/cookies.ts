import type { IncomingMessage } from 'node:http';

export interface Cookie {
  name: string;
  path: string;
  days: number;
  pattern: RegExp;
}

export const SESSION_COOKIE: Cookie = {
  name: 'atrium_session',
  path: '/',
  days: 30,
  pattern: /^[\w-]{43}$/,
};

/** Identifies the browser. Only sign-in needs it, so the cookie is limited to `/web`. */
export const DEVICE_COOKIE: Cookie = {
  name: 'atrium_device',
  path: '/web',
  days: 365,
  pattern: /^c[a-z0-9]{24}\.[A-Za-z0-9]{43}$/,
};

/**
 * The value of a cookie, if it is sent once and has our format. If it is sent twice, another site on the
 * same domain may have set one of them, so neither counts.
 */
export function readCookie(
  request: IncomingMessage,
  { name, pattern }: Cookie,
): string | undefined {
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value] = values;
  return values.length === 1 && value !== undefined && pattern.test(value) ? value : undefined;
}

/** A `Set-Cookie` header; an empty value deletes the cookie. */
export function cookieHeader(cookie: Cookie, value: string, publicUrl: string): string {
  const { name, path, days } = cookie;
  const parts = [
    `${name}=${value}`,
    `Path=${path}`,
    `Max-Age=${value === '' ? 0 : days * 24 * 60 * 60}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ];
  return parts.join('; ');
}
