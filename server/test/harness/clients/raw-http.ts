import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Reply } from './client.ts';

const DEADLINE_MS = 30_000;

export interface RawConnection {
  socket: Socket;
  send(...parts: (string | Uint8Array)[]): void;
  /** The next response, in order of arrival; `head` means that it has no body. */
  reply(options?: { head?: boolean }): Promise<Reply>;
  /** Settles when the server has closed the connection; returns the number of unread bytes. */
  closed(): Promise<number>;
  destroy(): void;
}

/** A connection that sends bytes unchanged; fetch would repair, refuse or hide most of them. */
export async function connectRaw(origin: string): Promise<RawConnection> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: false });
  socket.on('error', () => {}); // A reset also closes the connection; whoever waits for a response then fails.
  await once(socket, 'connect');
  let received = Buffer.alloc(0);
  let changed = Promise.withResolvers<void>();
  let isClosed = false;
  const notify = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    notify();
  });
  socket.on('close', () => {
    isClosed = true;
    notify();
  });

  async function until<T>(what: string, look: () => T | undefined): Promise<T> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      notify();
    }, DEADLINE_MS);
    try {
      for (;;) {
        const found = look();
        if (found !== undefined) return found;
        if (isLate) throw new Error(`no ${what} in ${DEADLINE_MS} ms`);
        await changed.promise;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    socket,
    send: (...parts) => {
      for (const part of parts) socket.write(part);
    },
    reply: ({ head = false } = {}) =>
      until('answer', () => {
        const parsed = parseReply(received, head);
        if (parsed) received = received.subarray(parsed.length);
        else if (isClosed)
          throw new Error(`closed before a response: ${JSON.stringify(received.toString())}`);
        return parsed?.reply;
      }),
    closed: () => until('close', () => (isClosed ? received.length : undefined)),
    destroy: () => void socket.destroy(),
  };
}

/** Sends bytes on a new connection and returns the first response. */
export async function sendRaw(origin: string, ...parts: (string | Uint8Array)[]): Promise<Reply> {
  const connection = await connectRaw(origin);
  connection.send(...parts);
  try {
    return await connection.reply();
  } finally {
    connection.destroy();
  }
}

/** A request head from lines, with correct line endings. */
export function head(...lines: string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}

export interface RawRequest {
  method?: string;
  path: string;
  key?: string | undefined;
  headers?: readonly string[];
  /** Sent unchanged, with its length. */
  body?: string | Uint8Array;
}

/** A correctly framed request, for tests of other hostile input. */
export function format({ method = 'GET', path, key, headers = [], body }: RawRequest): Buffer {
  const bytes = Buffer.from((body ?? '') as string);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: atrium',
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    ...headers,
    ...(body === undefined ? [] : [`Content-Length: ${bytes.length}`]),
  ];
  return Buffer.concat([Buffer.from(head(...lines), 'latin1'), bytes]);
}

function parseReply(bytes: Buffer, isHead: boolean): { reply: Reply; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [start = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = new Headers();
  for (const line of lines) {
    const at = line.indexOf(':');
    headers.append(line.slice(0, at), line.slice(at + 1).trim());
  }
  const bodyLength = isHead ? 0 : Number(headers.get('content-length') ?? 0);
  const length = end + 4 + bodyLength;
  if (bytes.length < length) return undefined;
  const text = bytes.subarray(end + 4, length).toString();
  const isJson = text !== '' && headers.get('content-type')?.startsWith('application/json');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(start)?.[1]);
  return { length, reply: { status, headers, text, json: isJson ? JSON.parse(text) : undefined } };
}
