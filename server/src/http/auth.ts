import type { IncomingMessage } from 'node:http';
import type { OrgKeyActor, UserActor } from '../context.ts';
import { AppError } from '../errors.ts';
import type { AuthKind } from './route.ts';

/** Who sent this request. `secret` lives only as long as the request: it seals stored responses. */
export interface Caller {
  actor: UserActor | OrgKeyActor;
  orgId: string;
  secret: string;
}

/** Looks a key up, fresh on each call; undefined for any key that is not good now. */
export type Authenticate = (
  kind: AuthKind,
  secret: string,
) => Promise<Omit<Caller, 'secret'> | undefined>;

export async function identifyCaller(
  request: IncomingMessage,
  kind: AuthKind,
  authenticate: Authenticate,
): Promise<Caller> {
  const secret = bearerToken(request);
  const found = await authenticate(kind, secret);
  if (!found) throw new AppError('AUTH_ERROR', 'The API key is unknown, expired or revoked.');
  return { ...found, secret };
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
