import type { Dispatcher } from 'undici';

export interface SafeFetchOptions {
  /** Private `host:port` pairs that the operator allows. Still HTTPS only, unless `allowsPlainHttp`. */
  allowHosts: readonly string[];
  /** The variable that lists them, for error messages. Default: MCP_ALLOW_HOSTS. */
  allowVariable?: string;
  /** Whether those hosts may be called without TLS, as a model server in the same network often is. */
  allowsPlainHttp?: boolean;
  /** `address:port` of resolvers to use instead of the system's (DNS_SERVERS). */
  dnsServers: readonly string[];
  /** PUBLIC_URL. Never called, even if it is allowed. */
  ownOrigin: string;
  /** Trusted instead of the system's authorities, for tests. Operators use NODE_EXTRA_CA_CERTS. */
  ca?: string;
}

export interface Limits {
  /** From the lookup to the last byte of the body. Infinity for a stream that the caller ends. */
  totalMs: number;
  /** From the lookup to the last response's headers, so an endless stream must still start in time. */
  headersMs: number;
  /** Of the body, decoded. */
  maxBytes: number;
  maxRedirects: number;
}

export const DEFAULT_LIMITS: Limits = {
  totalMs: 10_000,
  headersMs: 10_000,
  maxBytes: 1024 * 1024,
  maxRedirects: 3,
};

/** A body that is sent while it is read, in constant memory. It can't be sent again, so redirects end the call. */
export interface StreamedBody {
  source: AsyncIterable<Uint8Array>;
  /** There must be as many bytes. */
  size: number;
}

export interface SafeInit extends RequestInit {
  /** Instead of `body`. */
  streamed?: StreamedBody;
}

/** `unresolved`: the resolver could not be reached. A name that does not exist is refused. */
export type CheckResult =
  | { ok: true }
  | { ok: 'unresolved'; message: string }
  | { ok: false; message: string };

/** HTTPS to public addresses only, and what the operator allows, for every URL from a caller or another server. */
export interface SafeFetch {
  /** Resolves the name and checks the addresses, without connecting. Takes at most 5 s. */
  check(url: string): Promise<CheckResult>;
  /**
   * Like the web's fetch, except that each call resolves, checks and connects again, and that request
   * bodies are text, bytes or a `StreamedBody`. Fails with CallRefused, CallFailed or the reason of the caller's signal.
   */
  fetch(input: string | URL, init?: SafeInit, limits?: Partial<Limits>): Promise<Response>;
  /**
   * For libraries that open WebSockets: each connection is resolved and checked like one of `fetch`. All of
   * them are cut when the signal aborts. A message of more than `maxMessageBytes` ends its connection.
   */
  socketDispatcher(signal: AbortSignal, maxMessageBytes: number): Dispatcher;
  /** Ends all running calls and connections. */
  close(): Promise<void>;
}

/** The guard refused the call. The message is safe for the caller: it contains no resolved address. */
export class CallRefused extends Error {
  override name = 'CallRefused';
}

export type FailureCode =
  | 'timeout'
  | 'too_large'
  /** The resolver did not respond. */
  | 'dns'
  | 'network'
  | 'tls'
  /** Too many redirects, or one that the caller does not want. */
  | 'redirect'
  /** The response is not valid HTTP, or does not match its headers. */
  | 'bad_answer'
  | 'closed';

/** The server or the network failed. The message is safe for the caller. */
export class CallFailed extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, problem: string) {
    super(problem);
    this.name = 'CallFailed';
    this.code = code;
  }
}
