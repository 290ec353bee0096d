import type { RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createAuthority } from '../../../test/harness/certificates.ts';
import { startHttpsServer } from '../../../test/harness/https-server.ts';
import { createSafeFetch } from './create-safe-fetch.ts';
import type { Limits } from './safe-fetch.ts';

const MIB = 1024 * 1024;
const authority = createAuthority();
const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of cleanUp.splice(0).toReversed()) await stop();
});

async function startCalls(handle: RequestListener) {
  const server = await startHttpsServer({ authority }, handle);
  const host = `localhost:${server.port}`;
  const guard = createSafeFetch({
    allowHosts: [host],
    dnsServers: [],
    ownOrigin: 'http://127.0.0.1:3000',
    ca: authority.certificate,
  });
  cleanUp.push(
    () => server.close(),
    () => guard.close(),
  );
  return (limits: Partial<Limits> = {}, init: RequestInit = {}) =>
    guard.fetch(`https://${host}/`, init, limits);
}

/** Writes without end, as fast as it is read. Says so when the other side has hung up. */
function flood(response: ServerResponse, chunk: Buffer, onClose = () => {}): void {
  const send = () => void (response.writable && response.write(chunk, send));
  response.on('close', onClose);
  send();
}

const TOO_LARGE = { code: 'too_large', message: 'the answer is larger than 1 MiB' };

describe('the size of an answer', () => {
  it('may be the limit, and no byte more', async () => {
    const call = await startCalls((_, response) => void response.end(Buffer.alloc(1_000)));
    expect((await (await call({ maxBytes: 1_000 })).arrayBuffer()).byteLength).toBe(1_000);
    await expect(call({ maxBytes: 999 })).rejects.toMatchObject({ code: 'too_large' });
  });

  it('is refused unread if announced', async () => {
    const call = await startCalls((_, response) => {
      response.writeHead(200, { 'content-length': 100 * MIB });
      flood(response, Buffer.alloc(64 * 1024));
    });
    await expect(call()).rejects.toMatchObject(TOO_LARGE);
  });

  it('ends the connection when passed, and takes no memory to speak of', async () => {
    let isHungUp = false;
    const call = await startCalls((_, response) => {
      flood(response, Buffer.alloc(64 * 1024), () => (isHungUp = true));
    });
    const before = process.memoryUsage().rss;
    await expect(call().then((response) => response.text())).rejects.toMatchObject(TOO_LARGE);
    await expect.poll(() => isHungUp).toBe(true);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
  });

  const HUGE = Buffer.alloc(100 * MIB);
  it.each([
    ['gzip', gzipSync(HUGE)],
    ['deflate', deflateSync(HUGE)],
    ['br', brotliCompressSync(HUGE)],
    ['zstd', zstdCompressSync(HUGE)],
    ['gzip, gzip', gzipSync(gzipSync(HUGE))],
  ])('counts decoded: a bomb of %s', async (encoding, bomb) => {
    expect(bomb.length).toBeLessThan(MIB / 4);
    const call = await startCalls((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    await expect(call().then((response) => response.text())).rejects.toMatchObject(TOO_LARGE);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
  });

  it('of the headers is bounded too', async () => {
    const call = await startCalls((_, response) => {
      response.writeHead(200, { 'x-large': 'x'.repeat(100_000) }).end();
    });
    await expect(call()).rejects.toMatchObject({
      code: 'too_large',
      message: 'the headers of the answer are too large',
    });
  });

  it('decodes what is small', async () => {
    const call = await startCalls((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'));
    });
    expect(await (await call()).text()).toBe('hello');
  });
});

describe('the time of a call', () => {
  const QUICK = { totalMs: 1_500 };

  it('covers a server that hangs', async () => {
    const call = await startCalls(() => {});
    const from = performance.now();
    await expect(call(QUICK)).rejects.toMatchObject({
      code: 'timeout',
      message: 'no answer within 1.5 s',
    });
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  it('covers a body that drips', async () => {
    const call = await startCalls((_, response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const from = performance.now();
    const response = await call(QUICK);
    await expect(response.text()).rejects.toMatchObject({
      code: 'timeout',
      message: 'the answer was not complete within 1.5 s',
    });
    expect(performance.now() - from).toBeLessThan(10_000);
  });

  it('covers a body that nobody reads', async () => {
    let isHungUp = false;
    const call = await startCalls((_, response) => {
      flood(response, Buffer.alloc(64 * 1024), () => (isHungUp = true));
    });
    const response = await call(QUICK);
    await expect.poll(() => isHungUp).toBe(true);
    await expect(response.text()).rejects.toMatchObject({ code: 'timeout' });
  });

  it('covers all hops together', async () => {
    const call = await startCalls((request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 400);
    });
    await expect(call({ ...QUICK, maxRedirects: 10 })).rejects.toMatchObject({ code: 'timeout' });
  });

  it('may be without end for a stream, which still has to begin', async () => {
    let isHungUp = false;
    const call = await startCalls((request, response) => {
      if (request.method === 'POST') return;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      response.on('close', () => (isHungUp = true));
    });
    const endless = { totalMs: Infinity, headersMs: 1_500 };
    await expect(call(endless, { method: 'POST' })).rejects.toMatchObject({ code: 'timeout' });

    const caller = new AbortController();
    const response = await call(endless, { signal: caller.signal });
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value as Uint8Array).toString()).toBe('data: 1\n\n');
    const next = reader?.read();
    await sleep(1_700);
    expect(isHungUp).toBe(false);
    caller.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    await expect.poll(() => isHungUp).toBe(true);
  });

  it('ends with the signal of the caller, before and during a call, and with a cancelled body', async () => {
    let open = 0;
    const call = await startCalls((_, response) => {
      open++;
      response.write('x');
      response.on('close', () => open--);
    });
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(call({}, { signal: gone })).rejects.toThrow('gone');
    const soon = AbortSignal.timeout(1_500);
    const cut = await call({}, { signal: soon });
    await expect(cut.text()).rejects.toMatchObject({ name: 'TimeoutError' });
    const cancelled = await call();
    await cancelled.body?.cancel();
    await expect.poll(() => open).toBe(0);
  });
});

describe('an answer that is not what it should be', () => {
  it('closed early: says so', async () => {
    const call = await startCalls((_, response) => {
      response
        .writeHead(200, { 'content-length': 100 })
        .write('{"half":', () => response.destroy());
    });
    await expect(call().then((response) => response.text())).rejects.toMatchObject({
      code: 'network',
      message: 'the server closed the connection before its answer was complete',
    });
  });

  it('closed before its headers: says so', async () => {
    const call = await startCalls((request) => void request.socket.destroy());
    await expect(call()).rejects.toMatchObject({
      code: 'network',
      message: 'the server closed the connection before its answer was complete',
    });
  });

  it('no HTTP: says so, and quotes nothing', async () => {
    const call = await startCalls((request) => void request.socket.end('SECRET junk\r\n\r\n'));
    const failure = await call().catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ code: 'bad_answer', message: 'the answer is not valid HTTP' });
    expect((failure as Error).cause).toBeUndefined();
  });

  it('not the encoding it claims: says so', async () => {
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

  it('HTML, or an error status: is passed on for the caller to judge', async () => {
    const call = await startCalls((_, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>');
    });
    const response = await call();
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await response.text()).toBe('<h1>Bad gateway</h1>');
  });
});
