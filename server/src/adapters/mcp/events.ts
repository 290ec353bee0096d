import type { ReadableStream as WebStream } from 'node:stream/web';

/** The data of each server-sent event. Whoever stops reading ends the call. */
export async function* readEvents(stream: WebStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  let data: string[] = [];
  // A return at the end of what came is kept back: it may be the first half of a line's end.
  let isCut = false;
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    rest += chunk;
    // A line may come byte by byte: it is looked through when it ends, not with each of them.
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

/** The answer to the question with this id, in a message or in a list of them. */
export function findAnswer(json: string, id: string | number): object | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return undefined;
  }
  const messages: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return messages.find((message): message is object => isAnswer(message, String(id)));
}

function isAnswer(message: unknown, id: string): boolean {
  if (typeof message !== 'object' || message === null || 'method' in message) return false;
  return 'id' in message && String(message.id) === id;
}
