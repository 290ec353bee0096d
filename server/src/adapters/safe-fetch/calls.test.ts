import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CallRefused } from './safe-fetch.ts';
import { createAuthority } from '../../../test/harness/outside/certificates.ts';
import { authority, createGuard, startServer } from '../../../test/harness/stages/guard-stage.ts';

const DAY_MS = 86_400_000;

const guardFor = (host: string | number) => createGuard([host]);

describe('a call', () => {
  it('sends what the caller passed, and returns a Response of the platform', async () => {
    const server = await startServer((_, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'mcp-session-id': 's1' });
      response.end('{"ok":true}');
    });
    const response = await guardFor(server.port).fetch(new URL(`${server.url}/mcp?a=1`), {
      method: 'POST',
      headers: new Headers({ Authorization: 'Bearer k', 'Content-Type': 'application/json' }),
      body: '{"jsonrpc":"2.0"}',
    });
    expect(response).toBeInstanceOf(Response);
    expect(response.status).toBe(201);
    expect(response.url).toBe(`${server.url}/mcp?a=1`);
    expect(response.redirected).toBe(false);
    expect(response.headers.get('mcp-session-id')).toBe('s1');
    expect(await response.json()).toEqual({ ok: true });
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        path: '/mcp?a=1',
        body: '{"jsonrpc":"2.0"}',
        serverName: 'localhost',
        headers: {
          host: `localhost:${server.port}`,
          authorization: 'Bearer k',
          'content-type': 'application/json',
          'content-length': '17',
          connection: 'close',
          'user-agent': 'atrium',
        },
      },
    ]);
  });

  it('accepts forms and bytes as well', async () => {
    const server = await startServer((_, response) => void response.end());
    const guard = guardFor(server.port);
    const form = new FormData();
    form.set('field', 'value');
    for (const body of [new URLSearchParams({ a: 'b' }), form, new Uint8Array([104, 105])]) {
      await guard.fetch(server.url, { method: 'POST', body });
    }
    expect(server.requests.map(({ body }) => body)).toEqual([
      'a=b',
      expect.stringContaining('name="field"'),
      'hi',
    ]);
    expect(server.requests[1]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  });

  it('sends a body while it is read, with its length, and never to another address', async () => {
    const server = await startServer((request, response) => {
      if (request.url === '/moved') response.writeHead(307, { location: '/' });
      response.end();
    });
    const chunk = randomBytes(64 * 1024);
    async function* source() {
      for (let nth = 0; nth < 32; nth++) yield chunk;
    }
    const size = 32 * chunk.length;
    const send = (path: string) => {
      const init = { method: 'POST', streamed: { source: source(), size } };
      return guardFor(server.port).fetch(`${server.url}${path}`, init);
    };
    expect((await send('/')).status).toBe(200);
    expect(server.requests[0]?.bytes.equals(Buffer.concat(Array(32).fill(chunk)))).toBe(true);
    expect(server.requests[0]?.headers['content-length']).toBe(String(size));
    expect(server.requests[0]?.headers['transfer-encoding']).toBeUndefined();
    await expect(send('/moved')).rejects.toThrow(CallRefused);
    expect(server.requests).toHaveLength(2);
  });

  it('to a literal address checks the certificate against it, and sends no name', async () => {
    const server = await startServer((_, response) => void response.end('hi'));
    const host = `127.0.0.1:${server.port}`;
    expect(await (await guardFor(host).fetch(`https://${host}/`)).text()).toBe('hi');
    expect(server.requests[0]?.serverName).toBe(false);
  });

  it('without a response body ends by itself', async () => {
    const server = await startServer((_, response) => void response.writeHead(204).end());
    const response = await guardFor(server.port).fetch(server.url, { method: 'DELETE' });
    expect([response.status, response.body]).toEqual([204, null]);
  });

  it.each([
    [{ headers: { Host: 'internal' } }, /header that only the connection may set/],
    [{ headers: { 'Transfer-Encoding': 'chunked' } }, /header that only the connection may set/],
    [{ headers: { Authorization: 'Bearer s3cret\r\nX: y' } }, /invalid .*header/],
    [{ headers: { 'bad name': 's3cret' } }, /invalid .*header/],
    [{ method: 'CONNECT' }, /invalid method/],
    [{ body: 's3cret' }, /invalid .*body/],
    [{ method: 'POST', body: new ReadableStream() }, /must not be a stream/],
  ] as [RequestInit, RegExp][])('with %j is refused', async (init, message) => {
    const server = await startServer((_, response) => void response.end());
    const failure = await guardFor(server.port)
      .fetch(server.url, init)
      .catch((error: unknown) => error as Error);
    expect(failure).toMatchObject({ name: 'CallRefused', message: expect.stringMatching(message) });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('s3cret');
    expect(server.connections()).toBe(0);
  });

  it('to a port of another protocol is refused', async () => {
    const call = guardFor('localhost:25').fetch('https://localhost:25/');
    await expect(call).rejects.toThrow('the port is reserved for another protocol');
  });

  it('uses no proxy, whatever the environment says', async () => {
    const server = await startServer((_, response) => void response.end('direct'));
    process.env['HTTPS_PROXY'] = process.env['https_proxy'] = 'http://127.0.0.1:1';
    onTestFinished(async () => {
      delete process.env['HTTPS_PROXY'];
      delete process.env['https_proxy'];
    });
    expect(await (await guardFor(server.port).fetch(server.url)).text()).toBe('direct');
  });

  it('is ended by closing, and none starts afterwards', async () => {
    const server = await startServer(() => {});
    const guard = guardFor(server.port);
    const call = guard.fetch(server.url);
    await expect.poll(() => server.requests.length).toBe(1);
    await guard.close();
    await expect(call).rejects.toThrow('Atrium is shutting down');
    await expect(guard.fetch(server.url)).rejects.toThrow('Atrium is shutting down');
  });
});

describe('a certificate', () => {
  const issue = (names: string[], from: number, until: number) =>
    authority.issue(names, {
      from: new Date(Date.now() + from * DAY_MS),
      until: new Date(Date.now() + until * DAY_MS),
    });

  it.each([
    ['for another name', authority.issue(['other.example']), 'it is for another name'],
    ['that has expired', issue(['localhost'], -2, -1), 'it has expired'],
    [
      'that is not valid yet',
      issue(['localhost'], 1, 2),
      'it was not issued by a trusted authority',
    ],
    [
      'of an unknown authority',
      createAuthority('Stranger').issue(['localhost']),
      'it was not issued by a trusted authority',
    ],
  ])('%s is refused, and no request is sent', async (_what, certificate, reason) => {
    const server = await startServer((_, response) => void response.end(), { certificate });
    await expect(guardFor(server.port).fetch(server.url)).rejects.toMatchObject({
      code: 'tls',
      message: `the certificate is not valid: ${reason}`,
    });
    expect(server.requests).toEqual([]);
  });

  /** In a separate process, because both variables are read at startup. */
  async function callWith(env: Record<string, string>): Promise<string> {
    const server = await startServer((_, response) => void response.end('hi'));
    const script = `
      const { createSafeFetch } = await import(${JSON.stringify(import.meta.resolve('./create-safe-fetch.ts'))});
      const allowHosts = ['localhost:${server.port}'];
      const guard = createSafeFetch({ allowHosts, dnsServers: [], ownOrigin: 'http://127.0.0.1:3000' });
      const call = guard.fetch('${server.url}').then((response) => response.text());
      console.log(await call.catch((error) => error.message));`;
    const flags = ['--input-type=module', '-e', script];
    const options = { env: { ...process.env, ...env } };
    const { stdout } = await promisify(execFile)(process.execPath, flags, options);
    return stdout.trim();
  }

  it('of an authority in NODE_EXTRA_CA_CERTS is accepted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-ca-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'ca.pem');
    await writeFile(file, authority.certificate);
    expect(await callWith({ NODE_EXTRA_CA_CERTS: file })).toBe('hi');
  });

  it('is checked even if NODE_TLS_REJECT_UNAUTHORIZED says not to', async () => {
    const answer = await callWith({ NODE_TLS_REJECT_UNAUTHORIZED: '0' });
    expect(answer).toMatch(/^the certificate is not valid/);
  });
});

describe('a server that does not speak HTTPS', () => {
  async function startSocket(talk: (socket: Socket) => void) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      talk(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stop = async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => void server.close(resolve));
    };
    onTestFinished(stop);
    return { port: (server.address() as AddressInfo).port, stop };
  }

  it.each([
    ['speaks plain text', (socket: Socket) => void socket.end('220 hello\r\n')],
    ['hangs up', (socket: Socket) => void socket.destroy()],
  ])('and %s is reported as such', async (_how, talk) => {
    const { port } = await startSocket(talk);
    await expect(guardFor(port).fetch(`https://localhost:${port}/`)).rejects.toMatchObject({
      code: 'tls',
      message: 'the TLS handshake failed',
    });
  });

  it('and is not there at all is reported as refusing', async () => {
    const { port, stop } = await startSocket(() => {});
    await stop();
    await expect(guardFor(port).fetch(`https://localhost:${port}/`)).rejects.toMatchObject({
      code: 'network',
      message: 'the server refused the connection',
    });
  });
});
