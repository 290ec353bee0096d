import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadWebFiles } from '../../src/web-app/files.ts';
import type { WebAppState } from '../../src/web-app/web-app.ts';
import { createCaller } from '../harness/clients/client.ts';
import { expectError } from '../harness/clients/envelope.ts';
import { sendRaw } from '../harness/clients/raw-http.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

const PAGE = '<!doctype html><title>Atrium</title>';
const SCRIPT = 'console.log("hello");'.repeat(50);
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let folder: string;
let server: TestServer;
let state: WebAppState;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-web-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'icon.svg'), '<svg/>');
  await writeFile(join(folder, '.built-from'), 'x');
  await writeFile(join(folder, 'assets', 'main-abc123.js'), SCRIPT);
  await writeFile(join(folder, 'assets', 'main-abc123.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets', 'main-abc123.js.gz'), gzipSync(SCRIPT));
  state = { kind: 'ready', files: await loadWebFiles(folder) };
  server = await startTestServer({ webApp: { state: () => state } });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.origin + path, { headers });

describe('pages', () => {
  it.each(['/', '/sign-in', '/invite/tok', '/projects/x/sessions/y?a=b', '/settings/'])(
    '200: %s is the app, restricted to this origin',
    async (path) => {
      const reply = await get(path, HTML);
      expect([reply.status, await reply.text()]).toEqual([200, PAGE]);
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(reply.headers.get('cache-control')).toBe('no-cache');
      const policy = reply.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      expect(reply.headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(reply.headers.get('permissions-policy')).toContain('camera=()');
      expect(reply.headers.get('x-request-id')).toBeTruthy();
    },
  );

  it('never sends a Referer from a page with a token', async () => {
    for (const path of ['/sign-in', '/invite/tok', '/confirm-email', '/undo-email']) {
      expect((await get(path, HTML)).headers.get('referrer-policy')).toBe('no-referrer');
    }
    expect((await get('/projects', HTML)).headers.get('referrer-policy')).toBe('same-origin');
  });

  it('304: what the browser already has', async () => {
    const etag = (await get('/', HTML)).headers.get('etag') ?? '';
    const reply = await get('/projects', { ...HTML, 'if-none-match': `"other", ${etag}` });
    expect([reply.status, await reply.text()]).toEqual([304, '']);
    expect(reply.headers.get('content-security-policy')).toBeTruthy();
  });

  it('200: / for programs too; other paths only for clients that accept HTML', async () => {
    expect((await get('/')).status).toBe(200);
    expectError(await createCaller(server.origin)('GET', '/projects'), 'NOT_FOUND');
  });

  it('404 in the envelope: unknown paths of the API, also for a browser', async () => {
    const call = createCaller(server.origin);
    for (const path of ['/api/nothing', '/api', '/web/nothing', '/docs/x', '/metrics']) {
      expectError(await call('GET', path, { headers: HTML }), 'NOT_FOUND');
    }
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expectError(await call(method, '/', { headers: HTML }), 'NOT_FOUND');
    }
    expect((await call('POST', '/healthz', { headers: HTML })).headers.get('allow')).toBe(
      'GET, HEAD',
    );
  });
});

describe('files', () => {
  it('200: a hashed file, cached forever, in the requested encoding', async () => {
    const path = '/assets/main-abc123.js';
    for (const [asked, given] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['identity', null],
    ] as const) {
      const reply = await get(path, { 'accept-encoding': asked });
      expect(reply.headers.get('content-encoding')).toBe(given);
      expect(await reply.text()).toBe(SCRIPT);
      expect(reply.headers.get('vary')).toBe('Accept-Encoding');
      expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('200: a file without a hash is revalidated', async () => {
    const reply = await get('/icon.svg');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(reply.headers.get('cache-control')).toBe('no-cache');
  });

  it('HEAD: like GET, without the body', async () => {
    for (const path of ['/', '/assets/main-abc123.js']) {
      const reply = await fetch(server.origin + path, { method: 'HEAD' });
      expect([reply.status, await reply.text()]).toEqual([200, '']);
      expect(reply.headers.get('etag')).toBeTruthy();
    }
  });

  it.each([
    '/assets/gone.js',
    '/assets/../.built-from',
    '/assets/..%2f.built-from',
    '/assets/%2e%2e/.built-from',
    '/assets/../../../../../../etc/passwd',
    '/assets//etc/passwd',
    '/assets/main-abc123.js.br',
  ])('404, plain: %s', async (path) => {
    const reply = await sendRaw(server.origin, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(reply.text).toBe('Not found\n');
  });

  it('404: the stamp, by its name', async () => {
    expect((await get('/.built-from')).status).toBe(404);
  });
});

describe('while there is no app', () => {
  it.each([
    ['building', 'Building Atrium', true],
    ['failed', 'could not be built', false],
  ] as const)('503: %s, and the API answers', async (kind, words, refreshes) => {
    const before = state;
    state = { kind };
    try {
      const reply = await get('/', HTML);
      const body = await reply.text();
      expect(reply.status).toBe(503);
      expect(reply.headers.get('cache-control')).toBe('no-store');
      expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(body).toContain(words);
      const [, script] = /<script src="(.*)">/.exec(body) ?? [];
      expect(script !== undefined).toBe(refreshes);
      if (script) expect(await (await get(script)).text()).toContain('location.reload()');
      expect((await get('/healthz')).status).toBe(200);
    } finally {
      state = before;
    }
  });
});
