import type { IncomingMessage } from 'node:http';
import { cookieHeader, readCookie } from './cookies.ts';

const NAME = 'atrium_session';
const DAYS = 30;
const VALUE = /^[\w-]{43}$/;

export function readSessionCookie(request: IncomingMessage): string | undefined {
  return readCookie(request, NAME, VALUE);
}

/** An empty token deletes the cookie. */
export function sessionCookie(token: string, publicUrl: string): string {
  return cookieHeader({ name: NAME, value: token, path: '/', days: DAYS }, publicUrl);
}
