import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { invalid, notFound, type AppError, type FieldError } from '../../core/errors.ts';
import { isRepeatable } from '../../core/fields.ts';
import { bodyError, parseJson } from './json.ts';
import type { Input, Route, RouteRequest } from '../route.ts';
import { fieldErrors, findUnstorable, isStorable, locationOf, type Part } from './validation.ts';

/** For routes without a query or body. */
const NOTHING = z.strictObject({});

/** Enough for any form. Without a limit, a small request could cause a very large response. */
const MAX_ERRORS = 1_000;

/** Parses and checks path, query and body. Reports every invalid field at once. */
export function readInput(route: Route, request: FastifyRequest): Input<RouteRequest> {
  const { params, query, body } = route.request;
  const errors: FieldError[] = [];
  const input = {
    params: readParams(params, request.params as Record<string, string>),
    query: check('query', query, readQuery(request.raw.url ?? '', query, errors), errors),
    body: readBody(route, request, body, errors),
  };
  if (errors.length > 0) throw invalid(errors);
  return input as Input<RouteRequest>;
}

/** Checks the arguments of a tool like a request body. */
export function readArguments<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const errors: FieldError[] = [];
  const read = check('arguments', schema, value, errors);
  if (errors.length > 0) throw invalid(errors);
  return read as z.output<S>;
}

function readParams(schema: z.ZodType | undefined, values: Record<string, string>): unknown {
  if (!schema) return undefined;
  const path = Object.values(values).every(isStorable) ? schema.safeParse(values) : undefined;
  if (!path?.success) throw notFound('The resource in this path');
  return path.data;
}

function readBody(
  route: Route,
  request: FastifyRequest,
  schema: z.ZodType | undefined,
  errors: FieldError[],
): unknown {
  if (route.method === 'GET') return undefined;
  return check('body', schema, readJson(request), errors);
}

/** The body as JSON; an empty one is `{}`. */
export function readJson(request: FastifyRequest): unknown {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    throw invalid([bodyError('unsupported_encoding', 'send the body without a Content-Encoding')]);
  }
  const bytes = request.body as Buffer | undefined;
  return bytes?.length ? parseBody(request, bytes) : {};
}

const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

function parseBody(request: FastifyRequest, bytes: Buffer): unknown {
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw unsupportedContentType();
  return parseJson(bytes);
}

export function unsupportedContentType(): AppError {
  return invalid([bodyError('unsupported_content_type', 'send `Content-Type: application/json`')]);
}

function check(
  part: Part,
  schema: z.ZodType | undefined,
  value: unknown,
  errors: FieldError[],
): unknown {
  const result = (schema ?? NOTHING).safeParse(value, { reportInput: true });
  const reported = new Set<string>();
  const report = (found: Iterable<FieldError>) => {
    for (const error of found) {
      if (errors.length >= MAX_ERRORS) return;
      if (!reported.has(error.location)) errors.push(error);
      reported.add(error.location);
    }
  };
  report(findUnstorable(part, value, MAX_ERRORS));
  if (!result.success) report(fieldErrors(part, result.error.issues));
  return result.data;
}

/** Stricter than most parsers: an invalid escape, or a repeated name that is not a list, is an error. */
function readQuery(
  url: string,
  schema: z.ZodObject | undefined,
  errors: FieldError[],
): Record<string, string | string[]> {
  const start = url.indexOf('?');
  const values = Object.create(null) as Record<string, string | string[]>;
  if (start < 0) return values;
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue;
    if (errors.length >= MAX_ERRORS) break;
    const [name, value] = splitOnce(pair, '=').map(decodeQueryText);
    if (name === undefined || value === undefined) {
      errors.push({
        location: 'query',
        code: 'malformed',
        message: 'contains invalid percent-encoding',
      });
    } else if (isRepeatable(schema?.shape[name])) {
      values[name] = [values[name] ?? [], value].flat();
    } else if (name in values) {
      const location = locationOf('query', [name]);
      errors.push({ location, code: 'duplicate_key', message: 'must not be given twice' });
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
