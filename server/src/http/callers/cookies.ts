import type { IncomingMessage } from 'node:http';

/**
 * The value of a cookie, if it is sent once and has our format. If it is sent twice, another site on the
 * same domain may have set one of them, so neither counts.
 */
export function readCookie(
  request: IncomingMessage,
  name: string,
  pattern: RegExp,
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
export function cookieHeader(
  { name, value, path, days }: { name: string; value: string; path: string; days: number },
  publicUrl: string,
): string {
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
