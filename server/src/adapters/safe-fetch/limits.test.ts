import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { countDecodedBytes } from '../../../test/harness/counting/decoded-bytes.ts';
import { createGuard, startServer } from '../../../test/harness/stages/guard-stage.ts';
import type { Limits } from './safe-fetch.ts';

const MIB = 1024 * 1024;

async function startCalls(handle: RequestListener) {
  const { port, url } = await startServer(handle);
  const guard = createGuard([port]);
  return (limits: Partial<Limits> = {}, init: RequestInit = {}) =>
    guard.fetch(`${url}/`, init, limits);
}

/** Writes endlessly, as fast as it is read. Reports how much it wrote when the other side disconnects. */
function flood(response: ServerResponse, onClose = (_sent: number) => {}): void {
  const chunk = Buffer.alloc(64 * 1024);
  let sent = 0;
  const send = () => {
    if (!response.writable) return;
    sent += chunk.length;
    response.write(chunk, send);
  };
  response.on('close', () => onClose(sent));
  send();
}

/** What two sockets may buffer, beyond what has been read. */
const UNDER_WAY = 20 * MIB;

const TOO_LARGE = { code: 'too_large', message: 'the response is larger than 1 MiB' };

describe('the size of a response', () => {
  it('may reach the limit, but not exceed it by a byte', async () => {
    const call = await startCalls((_, response) => void response.end(Buffer.alloc(1_000)));
    expect((await (await call({ maxBytes: 1_000 })).arrayBuffer()).byteLength).toBe(1_000);
    await expect(call({ maxBytes: 999 })).rejects.toMatchObject({ code: 'too_large' });
  });

  it('is refused unread if announced as too large', async () => {
    let hungUp: Promise<unknown[]> | undefined;
    const call = await startCalls((_, response) => {
      hungUp = once(response, 'close');
      response.writeHead(200, { 'content-length': 100 * MIB }).write('the first of it');
    });
    await expect(call()).rejects.toMatchObject(TOO_LARGE);
    await hungUp;
  });

  it('ends the connection when exceeded: the rest of an endless response is never read', async () => {
    let sent = 0;
    const call = await startCalls((_, response) => {
      flood(response, (bytes) => (sent = bytes));
    });
    await expect(call().then((response) => response.text())).rejects.toMatchObject(TOO_LARGE);
    await expect.poll(() => sent).toBeGreaterThan(MIB);
    expect(sent).toBeLessThan(UNDER_WAY);
  });

  const HUGE = Buffer.alloc(100 * MIB);
  it.each([
    ['gzip', gzipSync(HUGE)],
    ['deflate', deflateSync(HUGE)],
    ['br', brotliCompressSync(HUGE)],
    ['zstd', zstdCompressSync(HUGE)],
    ['gzip, gzip', gzipSync(gzipSync(HUGE))],
  ])('counts decoded bytes: a bomb of %s', async (encoding, bomb) => {
    expect(bomb.length).toBeLessThan(MIB / 4);
    const call = await startCalls((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
    });
    const decoded = countDecodedBytes();
    onTestFinished(() => decoded.stop());
    await expect(call().then((response) => response.text())).rejects.toMatchObject(TOO_LARGE);
    expect(decoded.bytes()).toBeGreaterThan(MIB);
    expect(decoded.bytes()).toBeLessThan(16 * MIB);
  });

  it('is limited for headers too', async () => {
    const call = await startCalls((_, response) => {
      response.writeHead(200, { 'x-large': 'x'.repeat(100_000) }).end();
    });
    await expect(call()).rejects.toMatchObject({
      code: 'too_large',
      message: 'the response headers are too large',
    });
  });

  it('does not affect small encoded responses', async () => {
    const call = await startCalls((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'));
    });
    expect(await (await call()).text()).toBe('hello');
  });
});

describe('the time limit of a call', () => {
  const QUICK = { totalMs: 1_500 };
  // Fake timers, so that a slow machine changes nothing.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('covers a server that hangs', async () => {
    const asked = Promise.withResolvers<void>();
    const call = await startCalls(() => asked.resolve());
    const onFailure = vi.fn<(error: unknown) => void>();
    const failed = call(QUICK).catch(onFailure);
    await asked.promise;
    await vi.advanceTimersByTimeAsync(1_499);
    expect(onFailure).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await failed;
    expect(onFailure.mock.calls).toEqual([
      [expect.objectContaining({ code: 'timeout', message: 'no response within 1.5 s' })],
    ]);
  });

  it('covers a body that drips', async () => {
    const call = await startCalls((_, response) => {
      response.write('x');
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const response = await call(QUICK);
    const body = expect(response.text()).rejects.toMatchObject({
      code: 'timeout',
      message: 'the response was not complete within 1.5 s',
    });
    await vi.advanceTimersByTimeAsync(1_500);
    await body;
  });

  it('covers a body that nobody reads', async () => {
    const hungUp = Promise.withResolvers<number>();
    const call = await startCalls((_, response) => flood(response, hungUp.resolve));
    const response = await call(QUICK);
    vi.advanceTimersByTime(1_500);
    expect(await hungUp.promise).toBeLessThan(UNDER_WAY);
    await expect(response.text()).rejects.toMatchObject({ code: 'timeout' });
  });

  it('covers all redirects together', async () => {
    let hops = 0;
    const call = await startCalls((request, response) => {
      hops++;
      vi.advanceTimersByTime(400);
      response.writeHead(302, { location: `${request.url}x` }).end();
    });
    await expect(call({ ...QUICK, maxRedirects: 10 })).rejects.toMatchObject({ code: 'timeout' });
    expect(hops).toBe(4);
  });

  it('can be unlimited for a stream, which must still start in time', async () => {
    const hungUp = Promise.withResolvers<void>();
    let stream: ServerResponse | undefined;
    const call = await startCalls((request, response) => {
      if (request.method === 'POST') {
        vi.advanceTimersByTime(1_500);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      response.on('close', hungUp.resolve);
      stream = response;
    });
    const endless = { totalMs: Infinity, headersMs: 1_500 };
    await expect(call(endless, { method: 'POST' })).rejects.toMatchObject({ code: 'timeout' });

    const caller = new AbortController();
    const response = await call(endless, { signal: caller.signal });
    const reader = response.body?.getReader();
    const read = async () => Buffer.from((await reader?.read())?.value ?? []).toString();
    expect(await read()).toBe('data: 1\n\n');
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    stream?.write('data: 2\n\n');
    expect(await read()).toBe('data: 2\n\n');
    const next = reader?.read();
    caller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    await hungUp.promise;
  });

  it('ends with the caller’s signal, before and during a call, and with a cancelled body', async () => {
    let open = 0;
    const call = await startCalls((_, response) => {
      open++;
      response.write('x');
      response.on('close', () => open--);
    });
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(call({}, { signal: gone })).rejects.toThrow('gone');
    const caller = new AbortController();
    const cut = await call({}, { signal: caller.signal });
    expect(open).toBe(1);
    const body = expect(cut.text()).rejects.toThrow('enough');
    caller.abort(new Error('enough'));
    await body;
    const cancelled = await call();
    await cancelled.body?.cancel();
    await expect.poll(() => open).toBe(0);
  });
});

describe('an invalid response', () => {
  it('closed early: says so', async () => {
    const call = await startCalls((_, response) => {
      response
        .writeHead(200, { 'content-length': 100 })
        .write('{"half":', () => response.destroy());
    });
    await expect(call().then((response) => response.text())).rejects.toMatchObject({
      code: 'network',
      message: 'the server closed the connection before its response was complete',
    });
  });

  it('closed before its headers: says so', async () => {
    const call = await startCalls((request) => void request.socket.destroy());
    await expect(call()).rejects.toMatchObject({
      code: 'network',
      message: 'the server closed the connection before its response was complete',
    });
  });

  it('not HTTP: says so, and quotes nothing', async () => {
    const call = await startCalls((request) => void request.socket.end('SECRET junk\r\n\r\n'));
    const failure = await call().catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({
      code: 'bad_answer',
      message: 'the response is not valid HTTP',
    });
    expect((failure as Error).cause).toBeUndefined();
  });

  it('not in the encoding it claims: says so', async () => {
    const call = await startCalls((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('SECRET, and no gzip');
    });
    await expect(call().then((response) => response.text())).rejects.toMatchObject({
      code: 'bad_answer',
    });
  });

  it('an unknown status: says so', async () => {
    const call = await startCalls((_, response) => void response.writeHead(799).end('?'));
    await expect(call()).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it('HTML, or an error status: is passed on to the caller', async () => {
    const call = await startCalls((_, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    });
    const response = await call();
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await response.text()).toBe('<h1>Bad gateway</h1>');
  });
});
