import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const browserPath = process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium';

describe('/docs', () => {
  it('holds the browser to this origin', async () => {
    const reply = await fetch(`${server.origin}/docs`);
    expect(reply.status).toBe(200);
    const policy = reply.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*/);
  });

  it.skipIf(!existsSync(browserPath))(
    'shows the operations and asks no other origin',
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
