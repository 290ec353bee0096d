import type { IncomingMessage } from 'node:http';
import type { FieldError } from '../../core/errors.ts';
import { headerValues } from '../callers/auth.ts';

/** Node silently ignores a second one. (auth.ts checks Authorization itself.) */
const SENT_ONCE = ['host', 'content-type'];

/** Finds what Node's parser accepts but a proxy in front of us may have read differently. */
export function findMalformation(request: IncomingMessage): FieldError | undefined {
  const { httpVersion, headers, url = '' } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return problem('request', 'must be HTTP/1.1');
  if (url.includes('#')) return problem('request', 'the URL must not have a fragment');
  if (headers.host === undefined && httpVersion === '1.1') {
    return { location: 'header.host', code: 'required', message: 'is required' };
  }
  const transfer = headers['transfer-encoding'];
  if (transfer !== undefined && (transfer.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return problem('header.transfer-encoding', 'must be chunked, and needs HTTP/1.1');
  }
  const repeated = SENT_ONCE.find((name) => headerValues(request, name).length > 1);
  return repeated === undefined
    ? undefined
    : problem(`header.${repeated}`, 'must be sent only once');
}

/** Proxies send the whole URL in the request line; it means the same as its path. */
export function originForm({ url = '' }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(url)?.[1];
  if (rest === undefined) return url;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function problem(location: string, message: string): FieldError {
  return { location, code: 'malformed', message };
}
