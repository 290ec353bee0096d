import { z } from 'zod';
import { findHiddenCharacter } from './hidden-characters.ts';
import { isId } from './ids.ts';

/** Building blocks of request schemas. Lengths count Unicode code points, as JSON Schema does. */

interface TextBounds {
  min?: number;
  max: number;
}

/** Text that is stored unchanged: bodies, contents, descriptions. */
export function text({ min = 1, max }: TextBounds) {
  return z.string().check(bounds({ min, max })).meta({ minLength: min, maxLength: max });
}

/** Text without leading and trailing white space. */
export function trimmedText({ min = 1, max }: TextBounds) {
  return z.string().trim().check(bounds({ min, max })).meta({ minLength: min, maxLength: max });
}

/** What people recognise something by, in which no character may hide: names, titles, tags. */
function label(max: number) {
  return trimmedText({ max }).check(allVisible);
}

export const name = () => label(120);
export const title = () => label(200);
export const description = () => text({ min: 0, max: 2000 });

/** One emoji, as people see it. */
export const emoji = () =>
  z
    .string()
    .max(40)
    .refine((value) => /^\p{RGI_Emoji}$/v.test(value), 'must be one emoji')
    .meta({ example: '🎧' });

/** What somebody is doing. */
export const statusText = () => label(100);

/** A time zone by its IANA name. */
export const timeZone = () =>
  text({ max: 64 })
    .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
    .meta({ example: 'Europe/Berlin' });

/** A name to mention something by, after the `@`. */
export const mentionSlug = () =>
  z
    .string()
    .regex(/^[a-z0-9_-]{1,40}$/, 'must be 1 to 40 of a-z, 0-9, _ and -')
    .meta({
      description: 'Unique among the models, agents and MCP servers of the organisation.',
    });

/** A person's handle in a record. */
export const handle = () =>
  z.string().nullable().meta({
    description:
      'The name by which the person is mentioned, unique among the names of the organisation. Null for up to ten minutes after an older version of the server added them.',
    example: 'ada',
  });

export const tags = () =>
  z
    .array(label(50))
    .max(20)
    .transform((values) => [...new Set(values)]);

/** A URL that a browser may open, stored as written. */
export const httpUrl = () =>
  text({ max: 2048 })
    .refine((value) => isHttpUrl(value), {
      params: { code: 'invalid_url' },
      message: 'must be a URL that starts with http:// or https://',
    })
    .meta({ format: 'uri' });

/** A URL that the server calls. The outgoing-call guard decides whether it may. */
export const httpsUrl = () =>
  text({ max: 2048 })
    .refine((value) => isHttpUrl(value) && /^https:/i.test(value) && new URL(value).port !== '0', {
      params: { code: 'invalid_url' },
      message: 'must be a URL that starts with https://',
    })
    .meta({ format: 'uri' });

/** The name of a model, an agent or an integration in mentions. */
export const agentSlug = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9_-][a-z0-9._:-]{0,63}$/, 'must be a slug such as recall or gpt-5.1')
    .meta({ description: 'The slug of a model or agent.' });

/** An optional field; null means the same as leaving it out. */
export function optional<S extends z.ZodType>(schema: S) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
}

/** A field of a PATCH: without it nothing changes, and null clears it. */
export function clearable<S extends z.ZodType>(schema: S) {
  return schema.nullable().optional();
}

/** An id in a path. A malformed id is a 404, like an unknown one. */
export const pathId = (what: string) =>
  z
    .string()
    .refine(isId)
    .meta({ description: `The ${what}'s id.`, example: 'cmf3k2v8q0001x5p7h9d4t6wz' });

export const recordId = () => z.string().meta({ pattern: '^c[a-z0-9]{24}$' });
export const timestamp = () => z.iso.datetime({ precision: 3 });

/** A time in a request, with any time zone. */
export function moment() {
  const error = 'must be a time with a time zone, such as 2026-11-15T09:30:00Z';
  return z.iso.datetime({ offset: true, error }).transform((value) => new Date(value));
}

/** A day, in no particular time zone. */
export function calendarDate() {
  const error = 'must be a day such as 2027-03-31';
  // There is no year 0, and the database refuses it.
  return z.iso.date({ error }).refine((day) => day >= '0001', { error });
}

/** A query parameter that may be given several times. */
export function repeatable<S extends z.ZodType>(item: S) {
  return z.array(item).max(20).optional();
}

export function isRepeatable(schema: z.ZodType | undefined): boolean {
  return schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodArray;
}

/** A whole number in a query string. */
export function queryInteger(options: {
  min: number;
  max: number;
  fallback: number;
  about: string;
}) {
  const { min, max, fallback, about } = options;
  return z
    .string()
    .optional()
    .transform((value, context) => {
      if (value === undefined) return fallback;
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      if (number >= min && number <= max) return number;
      context.addIssue({
        code: 'custom',
        params: {
          code: Number.isNaN(number) ? 'invalid_type' : number < min ? 'too_small' : 'too_big',
        },
        message: `must be a whole number from ${min} to ${max}`,
      });
      return z.NEVER;
    })
    .meta({
      type: 'integer',
      minimum: min,
      maximum: max,
      description: `${about} Default: ${fallback}.`,
    });
}

/** `true` or `false` in a query string. Default: false. */
export function queryFlag(about: string) {
  return z
    .string()
    .optional()
    .transform((value, context) => {
      if (value === undefined || value === 'true' || value === 'false') return value === 'true';
      const params = { code: 'invalid_type' };
      context.addIssue({ code: 'custom', params, message: 'must be true or false' });
      return z.NEVER;
    })
    .meta({ type: 'boolean', description: `${about} Default: false.` });
}

const MAX_PAGE = 2_147_483_647;

export const pageQuery = () =>
  z.strictObject({
    page: queryInteger({ min: 1, max: MAX_PAGE, fallback: 1, about: 'The page number, from 1.' }),
    limit: queryInteger({ min: 1, max: 100, fallback: 20, about: 'The number of items per page.' }),
  });

export function pageOf<S extends z.ZodType>(item: S) {
  return z.object({
    items: z.array(item),
    total: z.int().meta({ description: 'The number of items on all pages.' }),
    page: z.int(),
    limit: z.int(),
  });
}

/** The end of a page that is continued with `before`. */
export const continuation = (description: string) => ({
  nextBefore: recordId().nullable().meta({ description }),
  hasMore: z.boolean(),
});

export function listOf<S extends z.ZodType>(item: S) {
  return z.object({ items: z.array(item), total: z.int() });
}

/** Offsets such as `+01:00` are no places. */
function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).format() !== '';
  } catch {
    return false;
  }
}

/** The URL parser accepts `https:example.com` and strips tabs, but we must store what people see. */
function isHttpUrl(value: string): boolean {
  return /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value);
}

const allVisible: z.core.CheckFn<string> = ({ value, issues }) => {
  // A field has one error: its length comes first.
  const hidden = issues.length > 0 ? undefined : findHiddenCharacter(value);
  if (hidden === undefined) return;
  const message = `must not contain the invisible character ${hidden}`;
  issues.push({ code: 'custom', params: { code: 'hidden_character' }, message, input: value });
};

function bounds({ min, max }: { min: number; max: number }): z.core.CheckFn<string> {
  return ({ value, issues }) => {
    const problem = textProblem(value, min, max);
    if (problem)
      issues.push({
        code: 'custom',
        params: { code: problem.code },
        message: problem.message,
        input: value,
      });
  };
}

function textProblem(value: string, min: number, max: number) {
  if (min > 0 && value.trim() === '') return { code: 'required', message: 'must not be empty' };
  // The number of code units limits the number of code points, so they rarely have to be counted.
  if (value.length > max && (value.length > 2 * max || countCodePoints(value) > max)) {
    return { code: 'too_long', message: `must have at most ${max} characters` };
  }
  if (countCodePointsUpTo(value, min) < min) {
    return { code: 'too_short', message: `must have at least ${min} characters` };
  }
  return undefined;
}

function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

function countCodePointsUpTo(value: string, enough: number): number {
  return value.length >= 2 * enough ? enough : countCodePoints(value);
}
