import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { boundedBody, MAX_ANSWER_BYTES } from './bounded-body.ts';

/** A body whose bytes the test sends, and what the SDK would read of it. */
function createBody() {
  let sender!: ReadableStreamDefaultController<Uint8Array>;
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => void (sender = controller),
  });
  const body = boundedBody(source.getReader(), Buffer.from('first ')).getReader();
  return {
    send: (text: string) => sender.enqueue(Buffer.from(text)),
    end: () => sender.close(),
    fail: () => sender.error(new Error('reset')),
    async read() {
      const { value } = await body.read();
      return value && Buffer.from(value).toString();
    },
  };
}

/** The first pieces are passed on as they come, whenever that is. */
async function passFirstPieces(body: ReturnType<typeof createBody>): Promise<void> {
  expect(await body.read()).toBe('first ');
  for (let piece = 1; piece < 10; piece++) {
    body.send(`${piece} `);
    expect(await body.read()).toBe(`${piece} `);
  }
}

describe('the body of an answer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('passes the first pieces on at once, then gathers those that come soon after another', async () => {
    const body = createBody();
    await passFirstPieces(body);
    for (const piece of ['a', 'b', 'c']) body.send(piece);
    const read = body.read();
    await vi.advanceTimersByTimeAsync(120);
    expect(await read).toBe('abc');
  });

  it('does not wait after a pause', async () => {
    const body = createBody();
    await passFirstPieces(body);
    await vi.advanceTimersByTimeAsync(120);
    body.send('a');
    expect(await body.read()).toBe('a');
  });

  it('does not wait for more once it has ended', async () => {
    const body = createBody();
    await passFirstPieces(body);
    body.send('last');
    body.end();
    expect(await body.read()).toBe('last');
    expect(await body.read()).toBeUndefined();
  });

  it('passes on what came before a failure', async () => {
    const body = createBody();
    await passFirstPieces(body);
    const read = body.read();
    body.send('a');
    await vi.advanceTimersByTimeAsync(1);
    body.fail();
    expect(await read).toBe('a');
    await expect(body.read()).rejects.toMatchObject({ kind: 'broken' });
  });

  it('fails when it is too long, however it is cut', async () => {
    const body = createBody();
    await passFirstPieces(body);
    for (let sent = 0; sent <= MAX_ANSWER_BYTES; sent += 32 * 1024)
      body.send('x'.repeat(32 * 1024));
    const readAll = async () => {
      while ((await body.read()) !== undefined);
    };
    await expect(readAll()).rejects.toMatchObject({ kind: 'too_long' });
  });
});
