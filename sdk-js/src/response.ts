import { ConnectionError, errorOfCode, NotAtriumError, type AtriumError } from './errors.ts';

/** A result with its response: `await client.projects.get(id).withResponse()`. */
export interface ApiResponse<T> {
  data: T;
  status: number;
  /** Find the request in the server's log by this id. */
  requestId: string | undefined;
  /** Includes `RateLimit-Remaining` and `Idempotency-Replayed`. */
  headers: Headers;
  /** True if the server replayed the stored response to an earlier request with this key. */
  isReplay: boolean;
  /** How many attempts the call took. */
  attempts: number;
}

interface Envelope {
  success?: unknown;
  data?: unknown;
  error?: { code?: unknown; message?: unknown; details?: unknown };
  metadata?: { requestId?: unknown };
}

const CODES: Record<number, string> = {
  400: 'VALIDATION_ERROR',
  401: 'AUTH_ERROR',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'RATE_LIMIT',
  500: 'INTERNAL_ERROR',
};

/** Without `data` if it is what the caller already has. */
export type ConditionalResponse<T> = Omit<ApiResponse<T>, 'data'> & { data: T | undefined };

/** Node cancels a body that nobody reads yet if its response is collected. So a body keeps its response. */
const OF_BODY = new WeakMap<ReadableStream, Response>();

interface Expected {
  name: string;
  isConditional: boolean;
  isFile: boolean;
  /** Not even an error has a body. */
  isHead: boolean;
}

/** Returns the `data` of a success. Throws for an error, or if the response isn't Atrium's. */
export async function readResponse<T>(
  response: Response,
  { name: where, isConditional, isFile }: Expected,
): Promise<Omit<ApiResponse<T>, 'attempts'>> {
  const { status, headers } = response;
  if (status === 304 && isConditional) {
    const requestId = headers.get('X-Request-Id') ?? undefined;
    return { data: undefined as T, status, requestId, headers, isReplay: false };
  }
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    throw redirected(response, where);
  }
  if (isFile && response.ok && response.body && !isJson(response)) {
    const requestId = headers.get('X-Request-Id') ?? undefined;
    OF_BODY.set(response.body, response);
    return { data: response.body as T, status, requestId, headers, isReplay: false };
  }
  const text = response.ok ? await response.text() : await response.text().catch(() => undefined);
  const envelope = text === undefined ? undefined : parseEnvelope(text);
  const requestId = headers.get('X-Request-Id') ?? textOf(envelope?.metadata?.requestId);
  if (!response.ok) throw failureOf({ response, where, envelope, text, requestId });
  if (status !== 204 && envelope?.success !== true) {
    // JSON that doesn't parse was cut off: without a length, a closed connection looks like the end.
    if (isJson(response) && envelope === undefined && text !== undefined) {
      throw new ConnectionError(
        `${where} failed: the connection closed in the middle of the response.`,
        {
          code: 'CONNECTION_ERROR',
          requestId,
        },
      );
    }
    throw notAtrium(response, where);
  }
  const isReplay = headers.get('Idempotency-Replayed') === 'true';
  return { data: envelope?.data as T, status, requestId, headers, isReplay };
}

/** A response that has no body, and says what it says in its headers. Throws as `readResponse` does. */
export async function readHeaders(
  response: Response,
  request: Expected,
): Promise<Omit<ApiResponse<void>, 'attempts'>> {
  const { status, headers } = response;
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const code = CODES[status];
  if (code !== undefined && request.isHead) {
    const retryAfter = readRetryAfter(headers);
    const message = `${request.name} failed with ${status}.`;
    throw errorOfCode(message, { code, status, requestId, retryAfter });
  }
  if (!response.ok) return readResponse<void>(response, request);
  await response.body?.cancel();
  return { data: undefined, status, requestId, headers, isReplay: false };
}

/** The open response of a stream. Throws as `readResponse` does. */
export async function requireStream(
  response: Response,
  request: Expected,
): Promise<Omit<ApiResponse<Response>, 'attempts'>> {
  const { status, headers } = response;
  if (!response.ok || !headers.get('Content-Type')?.startsWith('text/event-stream')) {
    await readResponse(response, request);
    throw notAtrium(response, request.name);
  }
  const requestId = headers.get('X-Request-Id') ?? undefined;
  return { data: response, status, requestId, headers, isReplay: false };
}

interface Failure {
  response: Response;
  where: string;
  envelope: Envelope | undefined;
  /** Undefined if the connection closed in the middle of the body. */
  text: string | undefined;
  requestId: string | undefined;
}

function failureOf({ response, where, envelope, text, requestId }: Failure): AtriumError {
  const { status } = response;
  const retryAfter = readRetryAfter(response.headers);
  const known = CODES[status];
  if (envelope?.success === false && envelope.error) {
    const { code, message, details } = envelope.error;
    return errorOfCode(textOf(message) ?? `${where} failed with ${status}.`, {
      code: textOf(code) ?? known ?? 'UNKNOWN',
      status,
      requestId,
      details: isObject(details) ? details : {},
      retryAfter,
    });
  }
  if (text === undefined && known !== undefined) {
    const message = `${where} failed with ${status}: the connection closed in the middle of the response.`;
    return errorOfCode(message, { code: known, status, requestId, retryAfter });
  }
  return notAtrium(response, where, retryAfter);
}

function notAtrium(response: Response, where: string, retryAfter?: number): NotAtriumError {
  const { status } = response;
  const type = response.headers.get('Content-Type')?.split(';')[0] ?? 'no content type';
  const advice =
    status >= 500 || status === 429
      ? 'It looks like a proxy responded. Check that the server is running.'
      : "Check the base URL. Use the server's origin and /api, such as http://127.0.0.1:3000/api.";
  return new NotAtriumError(
    `${where} got ${status} (${type}), which is not a response from Atrium. ${advice}`,
    { code: 'NOT_ATRIUM', status, retryAfter },
  );
}

/** Following a redirect could turn a POST into a GET, or send the key to another server. */
function redirected(response: Response, where: string): NotAtriumError {
  const target = response.headers.get('Location');
  const to = target ? ` to ${target.split(/[?#]/)[0]}` : '';
  return new NotAtriumError(
    `${where} was redirected${to}. Redirects are not followed: set the base URL to the server's address.`,
    { code: 'NOT_ATRIUM', status: response.status },
  );
}

/** Seconds, or a date. A date is compared with the response's own, since clocks differ. */
export function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get('Retry-After')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  const now = Date.parse(headers.get('Date') ?? '');
  if (Number.isNaN(at)) return undefined;
  return Math.max(0, Math.ceil((at - (Number.isNaN(now) ? Date.now() : now)) / 1000));
}

function parseEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return undefined;
  }
}

function isJson(response: Response): boolean {
  return response.headers.get('Content-Type')?.includes('application/json') ?? false;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
