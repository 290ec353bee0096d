/** What went wrong with a provider. For the log and for failures.ts, never shown directly. */
export type FailureKind =
  /** It returned an error status. */
  | 'status'
  /** No connection, or none that lasted until the first byte. */
  | 'unreachable'
  /** It closed the connection early or sent an invalid response. */
  | 'broken'
  /** Its response is too long. */
  | 'too_long'
  /** It is at an address that may not be called. */
  | 'not_allowed';

export interface FailureDetails {
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  /** The provider's code, such as `context_length_exceeded`, or the system's, such as `ECONNREFUSED`. */
  reason?: string | undefined;
  /** What happened in the provider's words, or the network's. For whoever set the provider up, and not logged. */
  said?: string | undefined;
}

export class ProviderFailure extends Error {
  readonly kind: FailureKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly reason: string | undefined;
  readonly said: string | undefined;

  constructor(kind: FailureKind, { status, retryAfterMs, reason, said }: FailureDetails = {}) {
    super(['the provider failed', kind, status, reason].filter(Boolean).join(', '));
    this.name = 'ProviderFailure';
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.reason = reason;
    this.said = said;
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
    ? new ProviderFailure('status', { status, reason })
    : new ProviderFailure('broken', { reason });
}

/** From `{ code, type }`. Only letters and _, so it cannot be a key. */
export function wordOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, type } = error as { code?: unknown; type?: unknown };
  return [code, type].find(
    (word): word is string => typeof word === 'string' && /^[A-Z_]{1,60}$/i.test(word),
  );
}

const MOST_SAID = 300;

/**
 * The provider's message, in one line. Providers quote the beginning or the end of a key that they reject, so
 * every word that begins like it, or that was masked, is left out.
 */
export function wordsOf(error: unknown, secrets: readonly string[]): string | undefined {
  const message =
    typeof error === 'string' ? error : (error as { message?: unknown } | null)?.message;
  if (typeof message !== 'string') return undefined;
  const beginnings = secrets.map((secret) => secret.slice(0, 6)).filter((start) => start !== '');
  const mayQuote = (word: string) =>
    word.includes('***') || beginnings.some((start) => word.includes(start));
  const words = message.split(/[\s\p{C}]+/u).map((word) => (mayQuote(word) ? '…' : word));
  return words.join(' ').trim().slice(0, MOST_SAID).toWellFormed() || undefined;
}
