/** What all operations of an OpenAPI document share: error responses, headers and the envelope. */
type Json = Record<string, unknown>;

export const ERROR_RESPONSES: [status: string, name: string, code: string, description: string][] =
  [
    [
      '400',
      'ValidationError',
      'VALIDATION_ERROR',
      'The body or query is invalid. `error.details.errors` lists every invalid field.',
    ],
    ['401', 'AuthError', 'AUTH_ERROR', 'The Bearer key is missing or invalid.'],
    [
      '403',
      'Forbidden',
      'FORBIDDEN',
      'The caller may not do this. `error.details.reason` says why.',
    ],
    ['404', 'NotFound', 'NOT_FOUND', 'The resource does not exist, or the caller cannot see it.'],
    [
      '409',
      'Conflict',
      'CONFLICT',
      'The current state does not allow this. `error.details.reason` says why.',
    ],
    [
      '429',
      'RateLimited',
      'RATE_LIMIT',
      'Too many requests with this key. `Retry-After` says when to try again.',
    ],
    [
      '500',
      'InternalError',
      'INTERNAL_ERROR',
      'Something went wrong on our side. Include the `requestId` when you report it.',
    ],
  ];

const DETAILS_EXAMPLE: Record<string, Json> = {
  VALIDATION_ERROR: {
    errors: [
      { location: 'body.tags[0]', code: 'too_long', message: 'must have at most 50 characters' },
    ],
  },
  FORBIDDEN: { reason: 'missing_scope', scopes: ['projects:write'] },
  CONFLICT: { reason: 'slug_taken', slug: 'pricing-2027' },
};

export const RATE_LIMIT_HEADERS = Object.fromEntries(
  ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
);

export const metadataExample = {
  timestamp: '2026-11-15T09:30:00.000Z',
  requestId: 'b7c1a0de-6b1f-4a53-9f3e-2f0c7f4d8e11',
};

export function sharedHeaders(): Json {
  const integer = { type: 'integer' };
  return {
    'X-Request-Id': {
      description: 'Identifies this request in the server logs.',
      schema: { type: 'string' },
    },
    'RateLimit-Limit': {
      description: 'Requests of this kind that a key may send per minute.',
      schema: integer,
    },
    'RateLimit-Remaining': { description: 'Requests that are left now.', schema: integer },
    'RateLimit-Reset': {
      description: 'Seconds until the next request is possible.',
      schema: integer,
    },
    'Retry-After': {
      description: 'Seconds to wait before the next request.',
      schema: integer,
    },
    'Idempotency-Replayed': {
      description: '`true` if this is the response to an earlier request.',
      schema: { type: 'string', enum: ['true'] },
    },
  };
}

export function errorResponse([
  status,
  name,
  code,
  description,
]: (typeof ERROR_RESPONSES)[number]): [string, Json] {
  const error = { code, message: description, details: DETAILS_EXAMPLE[code] ?? {} };
  return [
    name,
    {
      description,
      headers: {
        'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
        ...(status !== '401' && RATE_LIMIT_HEADERS),
        ...(['409', '429'].includes(status) && {
          'Retry-After': { $ref: '#/components/headers/Retry-After' },
        }),
      },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Failure' },
          example: { success: false, error, metadata: metadataExample },
        },
      },
    },
  ];
}

export function sharedSchemas(): Json {
  return {
    Metadata: {
      type: 'object',
      required: ['timestamp', 'requestId'],
      properties: {
        timestamp: { type: 'string', format: 'date-time' },
        requestId: { type: 'string' },
      },
    },
    FieldError: {
      type: 'object',
      required: ['location', 'code', 'message'],
      properties: {
        location: {
          type: 'string',
          description: 'The field, for example `body.tags[0]` or `query.limit`.',
        },
        code: { type: 'string', description: 'The problem, for programs.' },
        message: { type: 'string', description: 'The problem, for people.' },
      },
    },
    Failure: {
      type: 'object',
      required: ['success', 'error', 'metadata'],
      properties: {
        success: { const: false },
        error: {
          type: 'object',
          required: ['code', 'message', 'details'],
          properties: {
            code: { type: 'string', enum: ERROR_RESPONSES.map(([, , code]) => code) },
            message: { type: 'string' },
            details: {
              type: 'object',
              additionalProperties: true,
              properties: {
                reason: {
                  type: 'string',
                  description: 'For CONFLICT and FORBIDDEN: a stable word for programs.',
                },
                errors: { type: 'array', items: { $ref: '#/components/schemas/FieldError' } },
              },
            },
          },
        },
        metadata: { $ref: '#/components/schemas/Metadata' },
      },
    },
  };
}
