import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { chromium, type Browser } from 'playwright-core';
import { bundle } from '../scripts/bundle.ts';
import { startFake, succeed, type Seen } from './harness/fake.ts';

const executablePath = process.env['TEST_CHROMIUM'] ?? '';
const server = inject('server');

// Set TEST_CHROMIUM to the path of a Chromium to run these tests.
describe.skipIf(executablePath === '')(
  'in a browser (skipped unless TEST_CHROMIUM names one)',
  () => {
    let browser: Browser;
    let script = '';

    beforeAll(async () => {
      script = await bundle("export * from '@atrium/sdk'");
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    });
    afterAll(() => browser.close());

    /** Runs this code on a page of another origin, which serves the SDK as `/sdk.js`. */
    async function runOnPage(
      code: string,
      api: (seen: Seen) => unknown = () => ({}),
    ): Promise<{ result: unknown; seen: Seen[] }> {
      const { baseURL, seen } = await startFake((response, request) => {
        if (request.url.startsWith('/api/')) return succeed(response, api(request));
        const isScript = request.url === '/sdk.js';
        response.setHeader('Set-Cookie', 'atrium_session=abc; HttpOnly; SameSite=Lax');
        response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
        response.end(isScript ? script : '<!doctype html><title>Page</title>');
      });
      const page = await browser.newPage();
      await page.goto(baseURL.replace('/api', '/'));
      const result = await page.evaluate(
        `(async () => { const { Atrium, ...sdk } = await import('/sdk.js'); ${code} })()`,
      );
      await page.close();
      return { result, seen: seen.filter(({ url }) => url.startsWith('/api/')) };
    }

    it('calls the real server across origins with a key: create, page, error', async () => {
      const options = JSON.stringify({ apiKey: server.key, baseURL: `${server.origin}/api` });
      const { result } = await runOnPage(`
      const client = new Atrium(${options});
      const { data, requestId, isReplay } = await client.projects.create({ name: 'From a page' }).withResponse();
      const names = [];
      for await (const { name } of client.projects.list({ limit: 1 })) names.push(name);
      const error = await client.projects.get('nope').catch((error) => error);
      return { slug: data.slug, requestId, isReplay, found: names.includes('From a page'),
        isNotFound: error instanceof sdk.NotFoundError, hasId: typeof error.requestId };
    `);
      expect(result).toEqual({
        slug: 'from-a-page',
        requestId: expect.any(String),
        isReplay: false,
        found: true,
        isNotFound: true,
        hasId: 'string',
      });
    });

    it("with auth: 'cookie', sends the cookie and the organisation to its own origin, and no key", async () => {
      const { seen } = await runOnPage(
        `const client = new Atrium({ auth: 'cookie', org: 'corg' });
       await client.projects.list(); await client.projects.create({ name: 'A' });`,
        () => ({ items: [], total: 0 }),
      );
      expect(seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
      for (const { headers } of seen) {
        expect(headers).toMatchObject({ cookie: 'atrium_session=abc', 'atrium-org': 'corg' });
        expect(headers.authorization).toBeUndefined();
      }
    });

    it('mentions CORS if the server is unreachable', async () => {
      const { result } = await runOnPage(`
      const client = new Atrium({ apiKey: 'atr_${'a'.repeat(46)}', baseURL: 'http://127.0.0.1:9/api', maxRetries: 0 });
      return (await client.projects.list().catch((error) => error)).message;
    `);
      expect(result).toMatch(/CORS_ORIGINS/);
    });
  },
);
