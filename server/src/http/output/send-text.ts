import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

const PIECE = 128 * 1024;

/** A long text is sent in pieces: encoding all of it would hold up others, and an unread one would be kept twice. */
export function sendText(reply: FastifyReply, text: string): FastifyReply {
  if (text.length <= 2 * PIECE) return reply.send(text);
  return reply.send(Readable.from(encodeInSteps(text), { highWaterMark: 1 }));
}

async function* encodeInSteps(text: string): AsyncGenerator<Buffer> {
  for (let from = 0; from < text.length;) {
    // Between the halves of a character, both would be lost.
    const to = from + PIECE + (isFirstHalf(text, from + PIECE - 1) ? 1 : 0);
    yield Buffer.from(text.slice(from, to));
    from = to;
    await setImmediate();
  }
}

function isFirstHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code < 0xdc00;
}
