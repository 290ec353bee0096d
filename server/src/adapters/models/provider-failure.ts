/** What went wrong with a provider. For the log and for failures.ts, never shown directly. */
export type FailureKind =
  /** It returned an error status. */
  | 'status'
  /** No connection, or none that lasted until the first byte. */
  | 'unreachable'
  /** It closed the connection early or sent an invalid response. */
  | 'broken'
  /** Its response is too long. */
  | 'too_long';

export interface FailureDetails {
  status?: number;
  retryAfterMs?: number;
  /** The provider's code, such as `context_length_exceeded`, or the system's, such as `ECONNREFUSED`. */
  reason?: string;
}

export class ProviderFailure extends Error {
  readonly kind: FailureKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly reason: string | undefined;

  constructor(kind: FailureKind, { status, retryAfterMs, reason }: FailureDetails = {}) {
    super(['the provider failed', kind, status, reason].filter(Boolean).join(', '));
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.reason = reason;
  }

  /** Another attempt may succeed. */
  get isPassing(): boolean {
    if (this.kind === 'unreachable') return true;
    if (this.kind === 'broken') return !LASTING_REASON.test(this.reason ?? '');
    if (this.kind !== 'status' || this.status === undefined) return false;
    return this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

/** Errors in the middle of an answer that a retry would not fix. */
const LASTING_REASON =
  /^(invalid|context_length|authentication|permission|not_found|request_too_large|insufficient|billing)/i;

/** Unwraps our own failure. The SDK's errors quote requests and responses, so they are dropped. */
export function providerFailureOf(error: unknown): ProviderFailure {
  let inner: unknown = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if (inner instanceof ProviderFailure) return inner;
    inner = inner.cause;
  }
  const reason = wordOf(error);
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  // A provider may return 200 and then report that it is overloaded.
  return typeof status === 'number' && status >= 400
    ? new ProviderFailure('status', { status, ...(reason && { reason }) })
    : new ProviderFailure('broken', reason ? { reason } : {});
}

/** From `{ code, type }`. Only letters and _, so it cannot be a key. */
export function wordOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, type } = error as { code?: unknown; type?: unknown };
  return [code, type].find(
    (word): word is string => typeof word === 'string' && /^[A-Z_]{1,60}$/i.test(word),
  );
}
