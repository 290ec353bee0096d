import type { z } from 'zod';
import type { FieldError } from '../../core/errors.ts';

/** Where input comes from: a part of the request, or the arguments of a tool. */
export type Part = 'body' | 'query' | 'header' | 'arguments';

/**
 * Yields every invalid field in one part of the request, from zod's issues. It is lazy, because of very
 * many issues only the first are used.
 */
export function* fieldErrors(
  part: Part,
  issues: readonly z.core.$ZodIssue[],
  at: readonly PropertyKey[] = [],
): Generator<FieldError> {
  for (const issue of issues) yield* toFieldErrors(part, issue, [...at, ...issue.path]);
}

/** PostgreSQL cannot store NUL, and would change an unpaired surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Finds text that cannot be stored unchanged, up to `limit` places. */
export function findUnstorable(part: Part, value: unknown, limit: number): FieldError[] {
  const found: FieldError[] = [];
  const path: PropertyKey[] = [];
  const visit = (inner: unknown): void => {
    if (found.length >= limit) return;
    if (typeof inner === 'string') {
      if (!isStorable(inner)) found.push(unstorable(locationOf(part, path)));
    } else if (Array.isArray(inner)) {
      for (const [index, item] of inner.entries()) visitAt(index, item);
    } else if (typeof inner === 'object' && inner !== null) {
      for (const [key, item] of Object.entries(inner)) visitAt(key, item);
    }
  };
  const visitAt = (step: string | number, inner: unknown): void => {
    path.push(step);
    if (typeof step === 'string') visit(step);
    visit(inner);
    path.pop();
  };
  visit(value);
  return found;
}

function unstorable(location: string): FieldError {
  const message = 'must not contain NUL characters or unpaired surrogates';
  return { location, code: 'invalid_character', message };
}

function* toFieldErrors(
  part: Part,
  issue: z.core.$ZodIssue,
  path: readonly PropertyKey[],
): Generator<FieldError> {
  const location = locationOf(part, path);
  switch (issue.code) {
    case 'unrecognized_keys':
      for (const key of issue.keys) {
        const message = `unknown ${part === 'query' ? 'parameter' : 'field'}`;
        yield { location: locationOf(part, [...path, key]), code: 'unknown_field', message };
      }
      return;
    case 'invalid_union':
      yield* unionErrors(part, issue, path);
      return;
    default:
      yield { location, ...problemOf(issue) };
  }
}

function problemOf(issue: z.core.$ZodIssue): Omit<FieldError, 'location'> {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return REQUIRED;
      return { code: 'invalid_type', message: `must be ${article(issue.expected)}` };
    case 'invalid_value':
      if (issue.input === undefined) return REQUIRED;
      return { code: 'invalid_value', message: `must be one of: ${issue.values.join(', ')}` };
    case 'too_big': {
      const { origin, maximum } = issue;
      const message = bound('at most', maximum, origin);
      return { code: sized(origin, 'too_many', 'too_big'), message };
    }
    case 'too_small': {
      const { origin, minimum } = issue;
      const message = bound('at least', minimum, origin);
      return { code: sized(origin, 'too_few', 'too_small'), message };
    }
    case 'custom':
      return { code: customCode(issue), message: issue.message };
    default:
      return { code: issue.code, message: issue.message };
  }
}

const REQUIRED = { code: 'required', message: 'is required' };

/** Enough to tell which option is closest. */
const COMPARED = 100;

/** Reports the errors of the closest option, which is the one the caller most likely meant. */
function* unionErrors(
  part: Part,
  issue: z.core.$ZodIssueInvalidUnion,
  path: readonly PropertyKey[],
): Generator<FieldError> {
  const counted = issue.errors.map((issues) => ({
    issues,
    count: [...fieldErrors(part, issues, path).take(COMPARED)].length,
  }));
  const closest = counted.toSorted((a, b) => a.count - b.count)[0];
  if (closest?.count) yield* fieldErrors(part, closest.issues, path);
  else yield { location: locationOf(part, path), code: 'invalid_value', message: issue.message };
}

function customCode(issue: z.core.$ZodIssueCustom): string {
  const code: unknown = issue.params?.['code'];
  return typeof code === 'string' ? code : 'invalid_value';
}

function sized(origin: string, ofItems: string, ofNumber: string): string {
  return origin === 'array' || origin === 'set' ? ofItems : ofNumber;
}

function bound(relation: string, limit: number | bigint, origin: string): string {
  const unit = origin === 'array' ? ' items' : '';
  return `must ${unit ? 'have' : 'be'} ${relation} ${limit}${unit}`;
}

function article(expected: string): string {
  return `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`;
}

/** `body.tags[0]`; a key that is not a plain word is quoted, and shortened if it is very long. */
export function locationOf(part: Part, path: readonly PropertyKey[]): string {
  return path.reduce<string>((location, step) => {
    if (typeof step === 'number') return `${location}[${step}]`;
    const key = String(step);
    if (/^[A-Za-z_][\w-]{0,63}$/.test(key)) return `${location}.${key}`;
    const shown = key.length > 50 ? `${key.slice(0, 50)}…` : key;
    return `${location}[${JSON.stringify(shown.toWellFormed())}]`;
  }, part);
}
