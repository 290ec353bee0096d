import { z } from 'zod';
import {
  ERROR_RESPONSES,
  errorResponse,
  metadataExample,
  RATE_LIMIT_HEADERS,
  sharedHeaders,
  sharedSchemas,
} from './openapi-components.ts';
import {
  CONTENT_HEADERS,
  contentResponse,
  contentResponses,
  ELSEWHERE,
} from './openapi-content.ts';
import { fullPath, scopesOf, type AuthKind, type Route } from '../route.ts';

type Json = Record<string, unknown>;

interface Surface {
  title: string;
  version: string;
  description: string;
  auth: readonly AuthKind[];
  /** The base of the paths in the document. */
  server: string;
  security: { name: string; description: string };
  tags: { name: string; description: string }[];
}

const ETAG = {
  description: 'Identifies `data`. It changes whenever `data` does.',
  schema: { type: 'string' },
  example: '"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC"',
};

const UNCHANGED = {
  description: 'Nothing has changed since the response with this ETag. There is no body.',
  headers: {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    ...RATE_LIMIT_HEADERS,
    ETag: ETAG,
  },
};

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of an earlier response. If `data` would be the same, the answer is 304.',
  schema: { type: 'string' },
  example: ETAG.example,
};

const COOKIE = {
  name: 'sessionCookie',
  scheme: {
    type: 'apiKey',
    in: 'cookie',
    name: 'atrium_session',
    description: 'A person who is signed in with the browser.',
  },
};

/** The OpenAPI 3.1 document of one API version. All its types come from zod schemas. */
export function buildOpenApi(surface: Surface, routes: readonly Route[]): Json {
  const schemas: Json = { ...sharedSchemas() };
  const paths: Record<string, Json> = {};
  for (const route of routes.filter(({ auth }) => surface.auth.includes(auth))) {
    const path = fullPath(route).slice(surface.server.length);
    paths[path] = {
      ...paths[path],
      [route.method.toLowerCase()]: operation(route, surface, schemas),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: surface.title,
      version: surface.version,
      description: surface.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: surface.server, description: 'This server.' }],
    security: [{ [surface.security.name]: [] }],
    tags: surface.tags,
    paths,
    components: {
      securitySchemes: {
        [surface.security.name]: {
          type: 'http',
          scheme: 'bearer',
          description: surface.security.description,
        },
        ...(surface.auth.includes('browser') && { [COOKIE.name]: COOKIE.scheme }),
      },
      headers: sharedHeaders(),
      responses: Object.fromEntries(ERROR_RESPONSES.map(errorResponse)),
      schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function operation(route: Route, surface: Surface, schemas: Json): Json {
  const { roles } = route;
  const [scope, ...more] = scopesOf(route);
  const shown = scopesOf(route).map((each) => `\`${each}\``);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [
      route.description,
      scope && `${more.length > 0 ? 'Scopes' : 'Scope'}: ${shown.join(', ')}.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    tags: [route.tag],
    ...(route.extension && { 'x-extension': true }),
    ...(scope && { 'x-scope': scope }),
    ...(more.length > 0 && { 'x-more-scopes': more }),
    ...(roles && { 'x-roles': roles }),
    security: [{ [route.auth === 'browser' ? COOKIE.name : surface.security.name]: [] }],
    parameters: parameters(route, schemas),
    ...requestBody(route, schemas),
    responses: {
      [String(route.status)]: success(route, schemas),
      ...(route.isTagged && { '304': UNCHANGED }),
      ...(route.isContent && contentResponses()),
      ...(route.mayRedirect && { '302': ELSEWHERE }),
      ...Object.fromEntries(
        ERROR_RESPONSES.map(([status, name]) => [
          status,
          { $ref: `#/components/responses/${name}` },
        ]),
      ),
    },
  };
}

function parameters(route: Route, schemas: Json): Json[] {
  const listed = (place: 'path' | 'query', schema: z.ZodType | undefined) =>
    shape(schema).map(([name, field]) => ({
      name,
      in: place,
      required: place === 'path' || !field.safeParse(undefined).success,
      ...described(field, schemas),
    }));
  const idempotencyKey = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes it safe to repeat the request: within 24 hours, the same key and body get the first response again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '4a1e7a52-3f4c-4f0e-9f57-1c1f8c0e6b1d',
  };
  return [
    ...listed('path', route.request.params),
    ...listed('query', route.request.query),
    ...(route.method === 'POST' ? [idempotencyKey] : []),
    ...(route.isTagged ? [IF_NONE_MATCH] : []),
    ...(route.isContent ? CONTENT_HEADERS : []),
  ];
}

/** Description and example belong to the parameter, the rest to its schema. */
function described(schema: z.ZodType, schemas: Json): Json {
  const { description, example, ...rest } = toJsonSchema(schema, 'input', schemas);
  return {
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
    schema: rest,
  };
}

function shape(schema: z.ZodType | undefined): [string, z.ZodType][] {
  return schema instanceof z.ZodObject
    ? (Object.entries(schema.shape) as [string, z.ZodType][])
    : [];
}

function requestBody(route: Route, schemas: Json): Json {
  const { body } = route.request;
  if (!body) return {};
  const schema = toJsonSchema(body, 'input', schemas);
  const example = route.example?.request;
  return {
    requestBody: {
      required: !body.safeParse({}).success,
      content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
    },
  };
}

function success(route: Route, schemas: Json): Json {
  const headers = {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    ...RATE_LIMIT_HEADERS,
    ...(route.method === 'POST' && {
      'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' },
    }),
    ...(route.isTagged && { ETag: ETAG }),
  };
  if (route.fileType !== undefined) {
    const schema = { type: 'string', format: 'binary' };
    const description = 'The file. It is sent while it is made, without an envelope.';
    return { description, headers, content: { [route.fileType]: { schema } } };
  }
  if (route.storedType !== undefined) {
    const schema = { type: 'string', format: 'binary' };
    const description = 'The file, without an envelope. It never changes, so keep it.';
    return { description, headers, content: { [route.storedType]: { schema } } };
  }
  if (route.isContent) return contentResponse('The bytes, without an envelope.', headers);
  if (!route.response) return { description: 'Done. There is no body.', headers };
  if (route.isStream) {
    const content = { schema: { type: 'string' }, example: route.example?.response };
    return {
      description: 'The stream is open.',
      headers,
      content: { 'text/event-stream': content },
    };
  }
  const data = toJsonSchema(route.response, 'output', schemas);
  const example = { success: true, data: route.example?.response, metadata: metadataExample };
  return {
    description: route.status === 201 ? 'Created.' : 'Done.',
    headers,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', 'data', 'metadata'],
          properties: {
            success: { const: true },
            data,
            metadata: { $ref: '#/components/schemas/Metadata' },
          },
        },
        ...(route.example?.response !== undefined && { example }),
      },
    },
  };
}

/** Schemas with an id become components; others stay inline. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const made = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => simplify(jsonSchema, io),
  });
  const text = JSON.stringify(made).replaceAll('#/$defs/', '#/components/schemas/');
  const { $schema: _, $defs, ...own } = JSON.parse(text) as Json;
  for (const [id, definition] of Object.entries(($defs as Json | undefined) ?? {})) {
    addSchema(schemas, id, definition as Json);
  }
  return own;
}

/** Leaves out what does not help a reader, and keeps responses open, because fields may be added. */
export function simplify(schema: Json, io: 'input' | 'output'): void {
  if (io === 'output') delete schema['additionalProperties'];
  if (schema['format'] === 'date-time') delete schema['pattern'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}

function addSchema(schemas: Json, id: string, definition: Json): void {
  const { id: _, ...rest } = definition;
  if (id in schemas && JSON.stringify(schemas[id]) !== JSON.stringify(rest)) {
    throw new Error(`two different schemas have the id ${id}`);
  }
  schemas[id] = rest;
}
