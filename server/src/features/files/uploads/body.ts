import type { IncomingMessage } from 'node:http';
import { invalid } from '../../../core/errors.ts';

export interface BodyReader {
  source: AsyncIterable<Uint8Array>;
  /** Why it broke off. */
  problem(): unknown;
  /** Whether everything was read. */
  isComplete(): boolean;
}

/** Reads a body piece by piece, no faster than it is taken. What is never sent is not waited for. */
export function readBody(
  request: IncomingMessage,
  { stalledMs, check }: { stalledMs: number; check: () => Promise<unknown> },
): BodyReader {
  let problem: unknown;
  // A sender who disconnects is told of by what is read.
  request.on('error', () => {});
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = request.read() as Buffer | null;
        if (chunk !== null) {
          await check();
          yield chunk;
        } else if (request.readableEnded) return;
        else if (request.destroyed) throw new CutShort();
        else await change(request, stalledMs);
      }
    } catch (error) {
      problem = error;
      throw error;
    }
  }
  return {
    source: read(),
    problem: () => problem,
    isComplete: () => problem === undefined && request.readableEnded,
  };
}

/** The sender disconnected, or this process stops. */
export class CutShort extends Error {}

/** Resolves when there is something to read, or nothing more. */
function change(request: IncomingMessage, stalledMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const events = ['readable', 'end', 'close', 'error'] as const;
  const timer = setTimeout(() => reject(stalled(stalledMs)), stalledMs);
  for (const event of events) request.once(event, resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    for (const event of events) request.off(event, resolve);
  });
}

function stalled(ms: number): Error {
  const message = `nothing was sent for ${Math.round(ms / 1000)} s; go on with what is missing`;
  return invalid([{ location: 'body', code: 'stalled', message }]);
}
