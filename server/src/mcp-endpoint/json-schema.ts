import { z } from 'zod';
import { simplify } from '../http/docs/openapi.ts';

type Json = Record<string, unknown>;
export type ObjectSchema = { type: 'object' } & Json;

/** A tool's input. It does not mention that null means an omitted field: models need not know. */
export function inputSchema(schema: z.ZodType): ObjectSchema {
  return convert(schema, 'input');
}

/**
 * A tool's result or error. Some clients validate errors against this schema too, so it allows both.
 */
export function outputSchema(schema: z.ZodType): ObjectSchema {
  const { required, properties, ...rest } = convert(schema, 'output');
  const { error: own, ...others } = properties as Json;
  return {
    ...rest,
    // A Message has its own `error`, for a failed reply.
    properties: { ...others, error: own === undefined ? ERROR : { anyOf: [own, ERROR] } },
    anyOf: [{ required }, { required: ['error'] }],
  };
}

const ERROR = {
  type: 'object',
  description: 'Only with isError: why the call was refused.',
  required: ['code', 'message', 'details'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    details: { type: 'object' },
    retryAfterSeconds: { type: 'integer', description: 'With RATE_LIMIT.' },
    requestId: { type: 'string', description: 'With INTERNAL_ERROR.' },
  },
};

function convert(schema: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const made = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => simplify(jsonSchema, io),
  });
  const { $schema: _, $defs = {}, ...own } = made as Json & { $defs?: Json };
  return inline(own, $defs, io) as ObjectSchema;
}

/** Inlines definitions, because not every client follows a `$ref`. */
function inline(value: unknown, definitions: Json, io: 'input' | 'output'): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(item, definitions, io));
  if (typeof value !== 'object' || value === null) return value;
  const simple = io === 'input' ? withoutNull(value as Json) : (value as Json);
  const { $ref, id, ...rest } = simple;
  if (typeof $ref === 'string') {
    const target = definitions[$ref.replace('#/$defs/', '')] as Json;
    return inline({ ...target, ...rest }, definitions, io);
  }
  // A property can be named `id`. A schema's id is a string.
  const kept = typeof id === 'object' ? { id, ...rest } : rest;
  return Object.fromEntries(
    Object.entries(kept).map(([key, inner]) => [key, inline(inner, definitions, io)]),
  );
}

function withoutNull(schema: Json): Json {
  if (!Array.isArray(schema['anyOf'])) return schema;
  const { anyOf, ...rest } = schema;
  const options = (anyOf as Json[]).filter((option) => option['type'] !== 'null');
  return options.length === 1 ? { ...options[0], ...rest } : { ...rest, anyOf: options };
}
