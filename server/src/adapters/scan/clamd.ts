import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Scanner } from './scanner.ts';

export interface ClamdTimings {
  connectMs: number;
  /** Without a byte that goes either way. clamd says nothing while it scans. */
  silenceMs: number;
  /** For one file. */
  totalMs: number;
}

const TIMINGS: ClamdTimings = { connectMs: 10_000, silenceMs: 120_000, totalMs: 600_000 };
const MAX_ANSWER = 4_096;
const MAX_NAME = 200;
const CHUNK_BYTES = 64 * 1024;

/** clamd over TCP. Files are streamed to it, so it needs no access to where they are. */
export function createClamd(
  { host, port }: { host: string; port: number },
  timings: ClamdTimings = TIMINGS,
): Scanner {
  async function open(signal: AbortSignal): Promise<Socket> {
    const socket = connect({ host, port, noDelay: true });
    // Failures reach whoever waits: `once` and the loop over the answer.
    socket.on('error', () => {});
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(timings.connectMs)]);
      await once(socket, 'connect', { signal: within });
    } catch (error) {
      socket.destroy();
      throw new Error(`clamd at ${host}:${port} cannot be reached`, { cause: error });
    }
    socket.setTimeout(timings.silenceMs, () => socket.destroy(new Error('clamd does not answer')));
    signal.addEventListener('abort', () => socket.destroy(new Error('clamd took too long')), {
      once: true,
    });
    return socket;
  }

  /** Sends one command with what belongs to it, and returns the answer without the zero at its end. */
  async function ask(
    write: (socket: Socket) => Promise<void>,
    given: AbortSignal | undefined,
  ): Promise<string> {
    const signals = [AbortSignal.timeout(timings.totalMs), ...(given ? [given] : [])];
    const socket = await open(AbortSignal.any(signals));
    const [answer] = await Promise.allSettled([
      // It may answer before it has seen everything, and then reads no more.
      readAnswer(socket).finally(() => socket.destroy()),
      write(socket).catch((error: Error) => socket.destroy(error)),
    ]);
    if (answer.status === 'fulfilled') return answer.value;
    given?.throwIfAborted();
    throw answer.reason;
  }

  return {
    async scan(source, signal) {
      const answer = await ask((socket) => stream(socket, source), signal);
      if (answer === 'stream: OK') return null;
      const found = /^stream: (.+) FOUND$/s.exec(answer)?.[1];
      if (found !== undefined) return found.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, MAX_NAME);
      throw new Error(`clamd could not scan: ${answer.slice(0, MAX_NAME)}`);
    },
    async check() {
      const signal = AbortSignal.timeout(timings.connectMs);
      const answer = await ask((socket) => send(socket, Buffer.from('zPING\0')), signal);
      if (answer !== 'PONG') throw new Error('something else than clamd answers there');
    },
  };
}

/** Each piece goes with its length before it; a length of 0 is the end. */
async function stream(socket: Socket, source: AsyncIterable<Uint8Array>): Promise<void> {
  await send(socket, Buffer.from('zINSTREAM\0'));
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += CHUNK_BYTES) {
      const piece = chunk.subarray(at, at + CHUNK_BYTES);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(piece.length);
      await send(socket, Buffer.concat([length, piece]));
    }
  }
  await send(socket, Buffer.alloc(4));
}

function send(socket: Socket, data: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(data, (error) => (error ? reject(error) : resolve()));
  });
}

async function readAnswer(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString('latin1');
    const end = text.indexOf('\0');
    if (end !== -1) return text.slice(0, end);
    if (text.length > MAX_ANSWER) throw new Error('clamd answered too much');
  }
  throw new Error('clamd closed the connection without an answer');
}
