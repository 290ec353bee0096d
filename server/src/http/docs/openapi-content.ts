import { RATE_LIMIT_HEADERS } from './openapi-components.ts';

type Json = Record<string, unknown>;

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
  example,
});

/** What a request for bytes may carry. */
export const CONTENT_HEADERS = [
  header('Range', 'One range of bytes. Several are answered with all of them.', 'bytes=0-1023'),
  header('If-Range', 'The ETag of the bytes that the range is of.', '"9f86d081884c7d65"'),
  header('If-None-Match', 'The ETag of bytes that the caller has.', '"9f86d081884c7d65"'),
];

const shared = {
  'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
  ...RATE_LIMIT_HEADERS,
};
const text = (description: string) => ({ description, schema: { type: 'string' } });

export function contentResponse(description: string, headers: Json = shared): Json {
  return {
    description,
    headers: {
      ...headers,
      ETag: text('Identifies the bytes.'),
      'Content-Disposition': text('The name of the file, and whether a browser may show it.'),
    },
    content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
  };
}

export const ELSEWHERE = {
  description:
    'With `FILES_ORIGIN`, for requests with a cookie: the bytes are at this address for the next minutes.',
  headers: { ...shared, Location: text('An address of the second origin, which needs no cookie.') },
};

/** What a request for bytes may be answered with, other than all of them. */
export function contentResponses(): Json {
  const range = { 'Content-Range': text('Which bytes these are, and how many there are.') };
  return {
    '206': contentResponse('The range of bytes.', { ...shared, ...range }),
    '304': { description: 'The caller has these bytes. There is no body.', headers: shared },
    '416': {
      description: 'The file does not have these bytes.',
      headers: { ...shared, ...range },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
    },
  };
}
