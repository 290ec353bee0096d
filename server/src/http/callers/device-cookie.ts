import type { IncomingMessage } from 'node:http';
import { cookieHeader, readCookie } from './cookies.ts';

const NAME = 'atrium_device';
const DAYS = 365;
const VALUE = /^c[a-z0-9]{24}\.[A-Za-z0-9]{43}$/;

/** Identifies the browser. Only sign-in needs it, so the cookie is limited to `/web`. */
export function readDeviceCookie(request: IncomingMessage): string | undefined {
  return readCookie(request, NAME, VALUE);
}

export function deviceCookie(token: string, publicUrl: string): string {
  return cookieHeader({ name: NAME, value: token, path: '/web', days: DAYS }, publicUrl);
}
