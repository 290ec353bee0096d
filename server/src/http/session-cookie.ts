import type { IncomingMessage } from 'node:http';

const NAME = 'atrium_session';
const DAYS = 30;
const VALUE = /^[\w-]{43}$/;

/**
 * The value of the session's cookie, if it is sent once and could be ours. Of two, one may have been
 * planted by a neighbouring site of the same domain: then neither counts.
 */
export function readSessionCookie(request: IncomingMessage): string | undefined {
  const values = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${NAME}=`))
    .map((pair) => pair.slice(NAME.length + 1));
  const [value] = values;
  return values.length === 1 && value !== undefined && VALUE.test(value) ? value : undefined;
}

/** An empty token makes the browser forget it. */
export function sessionCookie(token: string, publicUrl: string): string {
  const parts = [
    `${NAME}=${token}`,
    'Path=/',
    `Max-Age=${token === '' ? 0 : DAYS * 24 * 60 * 60}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(publicUrl.startsWith('https:') ? ['Secure'] : []),
  ];
  return parts.join('; ');
}
