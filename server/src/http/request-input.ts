import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalid, notFound, type FieldError } from '../errors.ts';
import { bodyError, parseJson } from './json.ts';
import type { Input, Route, RouteRequest } from './route.ts';
import { fieldErrors, unstorableText, type Part } from './validation.ts';

/** What a route without a query or body takes. */
const NOTHING = z.strictObject({});

/** Path, query and body, parsed and checked. Reports every failing field at once. */
export function readInput(route: Route, request: FastifyRequest): Input<RouteRequest> {
  const { params, query, body } = route.request;
  const path = params?.safeParse(request.params);
  if (path && !path.success) throw notFound('What this path names');
  const errors: FieldError[] = [];
  const input = {
    params: path?.data,
    query: check('query', query, readQuery(request.raw.url ?? '', errors), errors),
    body: readBody(route, request, body, errors),
  };
  if (errors.length > 0) throw invalid(errors);
  return input as Input<RouteRequest>;
}

function readBody(
  route: Route,
  request: FastifyRequest,
  schema: z.ZodType | undefined,
  errors: FieldError[],
): unknown {
  if (route.method === 'GET') return undefined;
  const bytes = request.body as Buffer | undefined;
  const value = bytes?.length ? parseBody(request, bytes) : {};
  return check('body', schema, value, errors);
}

function parseBody(request: FastifyRequest, bytes: Buffer): unknown {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    throw invalid([bodyError('unsupported_encoding', 'send the body without a Content-Encoding')]);
  }
  if (
    !/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(
      request.headers['content-type'] ?? '',
    )
  ) {
    throw invalid([bodyError('unsupported_content_type', 'send `Content-Type: application/json`')]);
  }
  return parseJson(bytes);
}

function check(
  part: Part,
  schema: z.ZodType | undefined,
  value: unknown,
  errors: FieldError[],
): unknown {
  errors.push(...unstorableText(part, value));
  const result = (schema ?? NOTHING).safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const reported = new Set(errors.map(({ location }) => location));
  const found = fieldErrors(part, result.error.issues);
  errors.push(...found.filter(({ location }) => !reported.has(location)));
  return undefined;
}

/** Strict where most parsers are lenient: a broken escape or a repeated name is an error, not a guess. */
function readQuery(url: string, errors: FieldError[]): Record<string, string> {
  const start = url.indexOf('?');
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  if (start < 0) return values;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const [name, value] = splitOnce(pair, '=').map(decodeQueryText);
    if (name === undefined || value === undefined) {
      errors.push({ location: 'query', code: 'malformed', message: 'has broken percent-encoding' });
    } else if (name in values) {
      errors.push({ location: `query.${name}`, code: 'duplicate_key', message: 'is given twice' });
    } else {
      values[name] = value;
    }
  }
  return values;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decodeQueryText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
