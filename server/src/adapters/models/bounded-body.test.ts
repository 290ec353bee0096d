import { describe, expect, it } from 'vitest';
import { boundedBody, MAX_ANSWER_BYTES } from './bounded-body.ts';

const PIECE = 32 * 1024;

/** A body with this many pieces after its first. */
function bodyOf(pieces: number): ReadableStream<Uint8Array> {
  let sent = 0;
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent++ < pieces) controller.enqueue(Buffer.alloc(PIECE, 'x'));
      else controller.close();
    },
  });
  return boundedBody(source.getReader(), Buffer.alloc(PIECE, 'x'));
}

it('passes an answer on as it is', async () => {
  const text = await new Response(bodyOf(3)).text();
  expect(text).toBe('x'.repeat(4 * PIECE));
});

it('fails when the answer is too long', async () => {
  const body = bodyOf(MAX_ANSWER_BYTES / PIECE);
  await expect(new Response(body).text()).rejects.toMatchObject({ kind: 'too_long' });
});

it('fails without the reason of the connection that broke', async () => {
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error('10.0.0.1 hung up')),
  });
  const body = boundedBody(source.getReader(), Buffer.from('first'));
  await expect(new Response(body).text()).rejects.toMatchObject({ kind: 'broken' });
});

describe('events', () => {
  /** As they are read, one string for each read. */
  async function readAll(...pieces: (string | Uint8Array)[]): Promise<string[]> {
    const [first = '', ...others] = pieces.map((piece) => Buffer.from(piece));
    const source = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of others) controller.enqueue(piece);
        controller.close();
      },
    });
    const body = boundedBody(source.getReader(), Buffer.from(first));
    const read: string[] = [];
    for await (const bytes of body) read.push(Buffer.from(bytes).toString());
    return read;
  }

  it('are passed on whole, however the bytes are cut', async () => {
    const bytes = Buffer.from('data: é\n\ndata: b\n\n');
    expect(await readAll(bytes.subarray(0, 7), bytes.subarray(7, 12), bytes.subarray(12))).toEqual([
      'data: é\n\n',
      'data: b\n\n',
    ]);
  });

  it('can end their lines in any way', async () => {
    expect(await readAll('data: a\r\n\r', '\ndata: b\r\rdata: c\n\n')).toEqual([
      'data: a\n\ndata: b\n\ndata: c\n\n',
    ]);
  });

  it('that were cut off are passed on as they are', async () => {
    expect(await readAll('data: a\n\nda', 'ta: b')).toEqual(['data: a\n\n', 'data: b']);
  });
});
