import type { IncomingMessage } from 'node:http';
import type { OrgKeyActor, PersonActor } from '../context.ts';
import type { Queryable } from '../db/types.ts';
import { AppError } from '../errors.ts';
import type { AuthKind } from './route.ts';
import { readSessionCookie } from './session-cookie.ts';

/** Who sent this request. `secret` lives only as long as the request: it seals stored responses. */
export interface Caller {
  actor: PersonActor | OrgKeyActor;
  /** Null for somebody in the browser who is in no org, or in none that they named. */
  orgId: string | null;
  /** Named an org (`Atrium-Org`) that they are no member of. */
  isOutsider?: boolean;
  secret: string;
}

export type KeyKind = 'user' | 'org-key';

/**
 * Looks a key up, fresh on each call; undefined for any key that is not good now. `on` is given when a
 * request is looked up again: the connection to read on, which may have a transaction open.
 */
export type Authenticate = (
  kind: KeyKind,
  secret: string,
  on?: Queryable,
) => Promise<Omit<Caller, 'secret'> | undefined>;

/** The same for a session's cookie; `org` is the one that the request names, if it does. */
export type AuthenticateCookie = (
  token: string,
  org: string | undefined,
  on?: Queryable,
) => Promise<Omit<Caller, 'secret'> | undefined>;

/** A second reading of a request's caller: on this connection, in the org of the first. */
export interface Again {
  on: Queryable;
  orgId: string | null;
}

export interface Authenticators {
  authenticate: Authenticate;
  authenticateCookie: AuthenticateCookie;
}

/** Undefined only where anyone may call. */
export async function identifyCaller(
  request: IncomingMessage,
  kind: AuthKind,
  { authenticate, authenticateCookie }: Authenticators,
  again?: Again,
): Promise<Caller | undefined> {
  if (kind === 'org-key') return identifyKey(request, kind, authenticate, again);
  if (kind === 'user' || kind === 'person') {
    const hasKey = cookieOf(request) === undefined;
    if (hasKey) return identifyKey(request, 'user', authenticate, again);
  }
  const named = request.headers['atrium-org'] as string | undefined;
  const caller = await identifyByCookie(request, authenticateCookie, named, again);
  if (!caller && kind !== 'anyone') throw notSignedIn();
  return caller;
}

/**
 * Without a named org it is the one last used. That may be another by the time of a second reading, so
 * then the first one's is named; somebody who has left it is in no org, as if they had named none.
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

/** Who sends a key means the key, and nothing of what a browser adds. */
function cookieOf(request: IncomingMessage): string | undefined {
  const hasKey = headerValues(request, 'authorization').length > 0;
  return hasKey ? undefined : readSessionCookie(request);
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
  return new AppError('AUTH_ERROR', 'You are signed out; sign in again.');
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

/** Node keeps only the first of two Authorization headers; what is in front of us may use the other. */
function headerValues(request: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  const raw = request.rawHeaders;
  for (let at = 0; at < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() === name) values.push(raw[at + 1] ?? '');
  }
  return values;
}
