import { z } from 'zod';
import { SandboxFailure } from '../failure.ts';
import type { FormValue } from './form.ts';

/** Everything is text on the wire. What a schema does not name is passed over, as it has no effect here. */
export const text = z.string().min(1).max(5_000);
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'Invalid integer')
  .transform(Number);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const metadata = z.record(z.string().max(40), z.string().max(500));
export const expand = z.array(z.string().max(200)).max(20).default([]);

/** http and https alone: the pages link to it. */
export const webUrl = text.refine(isWebUrl, 'Not a valid URL');

export function isWebUrl(value: string): boolean {
  return URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);
}

export type Params = { [key: string]: FormValue };

export function readParams<S extends z.ZodType>(schema: S, params: Params): z.output<S> {
  const result = schema.safeParse(params);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path ?? [];
  const param = path.map((key, at) => (at === 0 ? String(key) : `[${String(key)}]`)).join('');
  const isMissing = valueAt(params, path) === undefined;
  throw new SandboxFailure(
    400,
    isMissing ? `Missing required param: ${param}.` : `${param}: ${issue?.message ?? 'Invalid'}`,
    { code: codeOf(isMissing, issue?.message), param },
  );
}

function codeOf(isMissing: boolean, message: string | undefined): string {
  if (isMissing) return 'parameter_missing';
  if (message === 'Not a valid URL') return 'url_invalid';
  return message === 'Invalid integer' ? 'parameter_invalid_integer' : 'parameter_invalid';
}

function valueAt(params: Params, path: PropertyKey[]): unknown {
  let value: unknown = params;
  for (const key of path) {
    value = typeof value === 'object' && value ? Reflect.get(value, key) : undefined;
  }
  return value;
}
