import type { ReadableStream as WebStream } from 'node:stream/web';
import { tryParseJson } from '../../core/try-parse-json.ts';

/** The data of each server-sent event. The call ends when the reader stops. */
export async function* readEvents(stream: WebStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  let data: string[] = [];
  // A trailing carriage return is kept back: it may be the first half of CRLF.
  let isCut = false;
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    rest += chunk;
    // A line can arrive byte by byte, so it is parsed only when it is complete.
    if (!isCut && !/[\r\n]/.test(chunk)) continue;
    isCut = chunk.endsWith('\r');
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      if (line !== '' || data.length === 0) continue;
      yield data.join('\n');
      data = [];
    }
  }
}

/** The response to the request with this id, in a message or in a batch. */
export function findResponse(json: string, id: string | number): object | undefined {
  const parsed = tryParseJson(json);
  const messages: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return messages.find((message): message is object => isResponse(message, String(id)));
}

function isResponse(message: unknown, id: string): boolean {
  if (typeof message !== 'object' || message === null || 'method' in message) return false;
  return 'id' in message && String(message.id) === id;
}
