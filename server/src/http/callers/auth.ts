import type { IncomingMessage } from 'node:http';
import type { OrgKeyActor, PersonActor } from '../../core/context.ts';
import type { SharedReader } from '../../db/types.ts';
import { AppError } from '../../core/errors.ts';
import type { AuthKind } from '../route.ts';
import { readCookie, SESSION_COOKIE } from './cookies.ts';

/** Who sent this request. `secret` is kept only for the request; it seals stored responses. */
export interface Caller {
  actor: PersonActor | OrgKeyActor;
  /** Null for a person in the browser who has no org, or who named one they do not belong to. */
  orgId: string | null;
  /** True if `Atrium-Org` names an org they are not a member of. */
  isOutsider?: boolean;
  secret: string;
}

export type KeyKind = 'user' | 'org-key';

/**
 * Looks up a key, freshly on each call; undefined if the key is not valid now. `on` is the connection to read
 * from when a request's caller is looked up again, possibly inside a transaction.
 */
export type Authenticate = (
  kind: KeyKind,
  secret: string,
  on?: SharedReader,
) => Promise<Omit<Caller, 'secret'> | undefined>;

/** The same for a session cookie; `org` is the one the request names, if any. */
export type AuthenticateCookie = (
  token: string,
  org: string | undefined,
  on?: SharedReader,
) => Promise<Omit<Caller, 'secret'> | undefined>;

/** For looking up a request's caller again: on this connection, in the org of the first lookup. */
export interface Again {
  on: SharedReader;
  orgId: string | null;
}

export interface Authenticators {
  authenticate: Authenticate;
  authenticateCookie: AuthenticateCookie;
}

/** Undefined only for routes that anyone may call. */
export async function identifyCaller(
  request: IncomingMessage,
  kind: AuthKind,
  { authenticate, authenticateCookie }: Authenticators,
  again?: Again,
  /** For cookies, if the request names none. */
  org?: string,
): Promise<Caller | undefined> {
  if (kind === 'org-key') return identifyKey(request, kind, authenticate, again);
  if (kind === 'user' || kind === 'person') {
    const hasKey = cookieOf(request) === undefined;
    if (hasKey) return identifyKey(request, 'user', authenticate, again);
  }
  const named = (request.headers['atrium-org'] as string | undefined) ?? org;
  const caller = await identifyByCookie(request, authenticateCookie, named, again);
  if (!caller && kind !== 'anyone') throw notSignedIn();
  return caller;
}

/**
 * Without a named org, the last used one counts. That may change before a second lookup, which therefore
 * names the org of the first. Someone who has left that org then has none.
 */
export async function identifyByCookie(
  request: IncomingMessage,
  authenticateCookie: AuthenticateCookie,
  named: string | undefined,
  again?: Again,
): Promise<Caller | undefined> {
  const secret = cookieOf(request);
  if (secret === undefined) return undefined;
  const org = named ?? again?.orgId ?? undefined;
  const found = await authenticateCookie(secret, org, again?.on);
  if (!found) return undefined;
  return { ...found, isOutsider: named !== undefined && found.orgId === null, secret };
}

/** A request with a key is authenticated by the key alone; a cookie the browser adds is ignored. */
function cookieOf(request: IncomingMessage): string | undefined {
  const hasKey = headerValues(request, 'authorization').length > 0;
  return hasKey ? undefined : readCookie(request, SESSION_COOKIE);
}

export async function identifyKey(
  request: IncomingMessage,
  kind: KeyKind,
  authenticate: Authenticate,
  again?: Again,
): Promise<Caller> {
  const secret = bearerToken(request);
  const found = await authenticate(kind, secret, again?.on);
  if (!found) throw new AppError('AUTH_ERROR', 'The API key is unknown, expired or revoked.');
  return { ...found, secret };
}

export function notSignedIn(): AppError {
  return new AppError('AUTH_ERROR', 'You are signed out. Sign in again.');
}

function bearerToken(request: IncomingMessage): string {
  const values = headerValues(request, 'authorization');
  if (values.length === 0) {
    throw new AppError('AUTH_ERROR', 'Send an API key: `Authorization: Bearer <API_KEY>`.');
  }
  const token = /^Bearer +([\x21-\x7e]{1,200})$/i.exec(values[0] ?? '')?.[1];
  if (values.length > 1 || token === undefined) {
    throw new AppError('AUTH_ERROR', 'Send exactly one header `Authorization: Bearer <API_KEY>`.');
  }
  return token;
}

/** Node keeps only the first of two Authorization headers; a proxy in front of us may use the other one. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? '';
    if (sent.length !== name.length || sent.toLowerCase() !== name) continue;
    values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}
