export interface CallOptions {
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  headers: Headers;
  /** The raw body; empty for 204. */
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of every shape
  json: any;
}

/** As a person, `call('POST', path, org.member, { name })`, or with other options. */
export type Call = (
  method: string,
  path: string,
  options?: CallOptions,
  body?: unknown,
) => Promise<Reply>;

/** Calls one server. A string or Buffer is sent unchanged; any other body is sent as JSON. */
export function createCaller(origin: string): Call {
  return async (method, path, { key, headers = {}, ...options } = {}, body = options.body) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(origin + path, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: (isRaw ? body : JSON.stringify(body)) as RequestInit['body'] & {},
      }),
    });
    const type = response.headers.get('content-type') ?? '';
    const isStream = type.startsWith('text/event-stream');
    if (isStream) await response.body?.cancel(); // It would never end.
    const text = isStream ? '' : await response.text();
    const isJson = type.includes('json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: text !== '' && isJson ? JSON.parse(text) : undefined,
    };
  };
}
