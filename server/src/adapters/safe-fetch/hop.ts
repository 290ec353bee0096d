import { CallRefused, type SafeInit, type StreamedBody } from './safe-fetch.ts';
import { requirePlainText } from './target.ts';

/** One request of a call. */
export interface Hop {
  url: string;
  method: string;
  headers: Headers;
  /** In memory, so that it can be sent again after a redirect. */
  body: Uint8Array<ArrayBuffer> | null;
  streamed?: StreamedBody | undefined;
}

/** These headers decide where a request goes or ends. A secret such as `Host:…` must not set them. */
const CONNECTION_HEADERS = [
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The only headers that another origin gets. Any other header may contain a key, whatever its name. */
const SAFE_HEADERS = new Set([
  'accept',
  'accept-language',
  'content-language',
  'content-type',
  'mcp-protocol-version',
  'user-agent',
]);

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export async function firstHop(url: string, init: SafeInit): Promise<Hop> {
  if (init.body instanceof ReadableStream)
    throw new CallRefused('the request body must not be a stream');
  const { method, headers, body } = init;
  let request: Request;
  try {
    request = new Request(url, {
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { body }),
    });
  } catch {
    // The error would quote the header, which may contain a secret.
    throw new CallRefused('the request has an invalid method, header or body');
  }
  if (CONNECTION_HEADERS.some((name) => request.headers.has(name))) {
    throw new CallRefused(
      'the request has a header that only the connection may set, such as Host',
    );
  }
  const ownHeaders = new Headers(request.headers);
  ownHeaders.delete('content-length');
  if (!ownHeaders.has('user-agent')) ownHeaders.set('user-agent', 'atrium');
  // Without it the body would be sent in chunks, which upload services refuse.
  if (init.streamed) ownHeaders.set('content-length', String(init.streamed.size));
  return {
    url,
    method: request.method,
    headers: ownHeaders,
    body: request.body && new Uint8Array(await request.arrayBuffer()),
    streamed: init.streamed,
  };
}

/** The request that a redirect leads to, by the Fetch Standard. Undefined for other responses. */
export function nextHop(
  hop: Hop,
  { status, headers }: { status: number; headers: Pick<Headers, 'get'> },
): Hop | undefined {
  const location = headers.get('location');
  if (!REDIRECTS.has(status) || location === null) return undefined;
  requirePlainText(location);
  if (hop.streamed) throw new CallRefused('a file is not sent again to another address');
  const url = URL.parse(location, hop.url);
  if (!url) throw new CallRefused('this is not a valid URL');

  const next: Hop = { ...hop, url: url.href };
  const becomesGet =
    status === 303 ? !['GET', 'HEAD'].includes(hop.method) : status < 303 && hop.method === 'POST';
  if (becomesGet) {
    next.method = 'GET';
    next.body = null;
    next.headers = headersThat(next.headers, (name) => !name.startsWith('content-'));
  }
  if (url.origin !== new URL(hop.url).origin) dropCredentials(next);
  return next;
}

function dropCredentials(hop: Hop): void {
  hop.headers = headersThat(hop.headers, (name) => SAFE_HEADERS.has(name));
  // OAuth sends its secrets as a form.
  if (hop.body && /form/i.test(hop.headers.get('content-type') ?? '')) {
    throw new CallRefused('a form is not sent to another origin');
  }
}

function headersThat(headers: Headers, mayStay: (name: string) => boolean): Headers {
  return new Headers([...headers].filter(([name]) => mayStay(name)));
}
