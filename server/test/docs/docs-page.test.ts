import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useTestServer } from '../harness/processes/use-test-server.ts';

const server = useTestServer();

/** fetch would unpack what it gets. */
async function raw(url: string, headers: Record<string, string>) {
  const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
  return { headers: response.headers, body: await buffer(response) };
}

const browserPath = process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium';

describe('/docs', () => {
  it('restricts the browser to this origin', async () => {
    const reply = await fetch(`${server.origin}/docs`);
    expect(reply.status).toBe(200);
    const policy = reply.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
  });

  it('200: the viewer is sent compressed, and 304 once the browser has it', async () => {
    const path = `${server.origin}/docs/scalar.js`;
    const plain = await fetch(path, { headers: { 'accept-encoding': 'identity' } });
    const text = await plain.text();
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(text).toContain('createApiReference');
    const etag = plain.headers.get('etag') ?? '';
    for (const encoding of ['br', 'gzip']) {
      const response = await raw(path, { 'accept-encoding': encoding });
      expect(response.headers['content-encoding']).toBe(encoding);
      expect(Number(response.headers['content-length'])).toBeLessThan(text.length / 3);
      expect(response.headers).toMatchObject({
        etag,
        vary: 'Accept-Encoding',
        'cache-control': 'no-cache',
        'content-type': 'text/javascript; charset=utf-8',
      });
      const unpack = encoding === 'br' ? brotliDecompressSync : gunzipSync;
      expect(unpack(response.body).toString() === text).toBe(true);
    }
    for (const each of ['/docs', '/docs/start.js', '/docs/scalar.js']) {
      const known = (await fetch(server.origin + each)).headers.get('etag') ?? '';
      const again = await fetch(server.origin + each, { headers: { 'if-none-match': known } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
  });

  it.skipIf(!existsSync(browserPath))(
    'shows the operations and contacts no other origin',
    { timeout: 120_000 },
    async () => {
      const browser = await chromium.launch({
        executablePath: browserPath,
        args: [
          '--no-sandbox',
          '--disable-gpu',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
          '--no-first-run',
        ],
      });
      try {
        const page = await browser.newPage();
        const asked = new Set<string>();
        const refused: string[] = [];
        page.on('request', (request) => {
          if (/^https?:/.test(request.url())) asked.add(new URL(request.url()).origin);
        });
        page.on('console', (message) => {
          if (message.text().includes('Content Security Policy')) refused.push(message.text());
        });
        await page.goto(`${server.origin}/docs`);
        await page.getByText('Create a Project').first().waitFor({ timeout: 30_000 });
        await page.getByText('Keys', { exact: true }).first().click();
        await page.getByText('Rotate one of your keys').first().waitFor();
        expect([...asked]).toEqual([server.origin]);
        expect(refused).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );
});
