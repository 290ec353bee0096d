export interface SafeFetchOptions {
  /** `host:port` pairs an operator admits although they are private (MCP_ALLOW_HOSTS). Still HTTPS. */
  allowHosts: readonly string[];
  /** `address:port` of the resolvers to ask instead of the system's (DNS_SERVERS). */
  dnsServers: readonly string[];
  /** PUBLIC_URL: never called, admitted or not. */
  ownOrigin: string;
  /** Trusted instead of the system's authorities; for tests. Operators use NODE_EXTRA_CA_CERTS. */
  ca?: string;
}

export interface Limits {
  /** From look-up to the last byte of the body. Infinity for a stream that the caller ends itself. */
  totalMs: number;
  /** From look-up to the headers of the last hop; so a stream without end still has to begin. */
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

/** `unresolved`: the resolver is out of reach, so nobody knows. A name that does not exist is refused. */
export type CheckResult =
  | { ok: true }
  | { ok: 'unresolved'; message: string }
  | { ok: false; message: string };

/** HTTPS to public addresses only, for every URL that a caller or another server gave us. */
export interface SafeFetch {
  /** Looks the name up and checks what it finds; connects to nothing. Takes 5 s at most. */
  check(url: string): Promise<CheckResult>;
  /**
   * As the fetch of the web, except that each call looks up, checks and connects anew, and that bodies
   * to send are text or bytes. Fails with CallRefused, CallFailed or the reason of the caller's signal.
   */
  fetch(input: string | URL, init?: RequestInit, limits?: Partial<Limits>): Promise<Response>;
  /** Ends the calls under way. */
  close(): Promise<void>;
}

/** The guard said no. The message is fit for the caller: it names no address that was looked up. */
export class CallRefused extends Error {
  constructor(problem: string) {
    super(problem);
    this.name = 'CallRefused';
  }
}

export type FailureCode =
  | 'timeout'
  | 'too_large'
  /** The resolver did not answer. */
  | 'dns'
  | 'network'
  | 'tls'
  /** Too many, or one where the caller wants none. */
  | 'redirect'
  /** What came is not HTTP, or not what its headers say. */
  | 'bad_answer'
  | 'closed';

/** The other side, or the way there, failed. The message is fit for the caller. */
export class CallFailed extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, problem: string) {
    super(problem);
    this.name = 'CallFailed';
    this.code = code;
  }
}
