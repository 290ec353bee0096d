import { ConnectionError, errorOfCode, NotAtriumError, type AtriumError } from './errors.ts';

/** A result with what came around it: `await client.projects.get(id).withResponse()`. */
export interface Answer<T> {
  data: T;
  status: number;
  /** The server's log has the request under it. */
  requestId: string | undefined;
  /** `RateLimit-Remaining`, `Idempotency-Replayed` and the others. */
  headers: Headers;
  /** True where the server repeated the stored answer to an earlier request with this key. */
  isReplay: boolean;
  /** How many attempts it took. */
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

/** The `data` of a success; a failure, or what is no answer of Atrium's, is thrown. */
export async function readAnswer<T>(
  response: Response,
  where: string,
): Promise<Omit<Answer<T>, 'attempts'>> {
  const { status, headers } = response;
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    throw redirected(response, where);
  }
  const text = response.ok ? await response.text() : await response.text().catch(() => undefined);
  const envelope = text === undefined ? undefined : parseEnvelope(text);
  const requestId = headers.get('X-Request-Id') ?? textOf(envelope?.metadata?.requestId);
  if (!response.ok) throw failureOf({ response, where, envelope, text, requestId });
  if (status !== 204 && envelope?.success !== true) {
    // What begins as JSON and does not parse was cut off: a connection that closes looks like an end.
    if (isJson(response) && envelope === undefined && text !== undefined) {
      throw new ConnectionError(`The connection broke in the middle of the answer to ${where}.`, {
        code: 'CONNECTION_ERROR',
        requestId,
      });
    }
    throw notAtrium(response, where);
  }
  const isReplay = headers.get('Idempotency-Replayed') === 'true';
  return { data: envelope?.data as T, status, requestId, headers, isReplay };
}

interface Failure {
  response: Response;
  where: string;
  envelope: Envelope | undefined;
  /** Undefined where the body broke off. */
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
    const message = `${where} failed with ${status}, and the connection broke in the middle of the answer.`;
    return errorOfCode(message, { code: known, status, requestId, retryAfter });
  }
  return notAtrium(response, where, retryAfter);
}

function notAtrium(response: Response, where: string, retryAfter?: number): NotAtriumError {
  const { status } = response;
  const type = response.headers.get('Content-Type')?.split(';')[0] ?? 'no content type';
  const advice =
    status >= 500 || status === 429
      ? 'A proxy in front of it seems to answer: is the server running?'
      : "Check the base URL: it should be the server's origin and /api, such as http://127.0.0.1:3000/api.";
  return new NotAtriumError(
    `${where} was answered with ${status} (${type}), which is not an answer of Atrium's. ${advice}`,
    { code: 'NOT_ATRIUM', status, retryAfter },
  );
}

/** Followed, a redirect may turn a POST into a GET, or take the key elsewhere. */
function redirected(response: Response, where: string): NotAtriumError {
  const target = response.headers.get('Location');
  const to = target ? ` to ${target.split(/[?#]/)[0]}` : '';
  return new NotAtriumError(
    `${where} was redirected${to}, and redirects are not followed. Set the base URL to where the server is.`,
    { code: 'NOT_ATRIUM', status: response.status },
  );
}

/** Whole seconds, or a date. A date is compared with the answer's own, since clocks differ. */
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
