import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startAtrium, type TestAtrium } from './harness/atrium.ts';
import { openBrowser, sharedBrowser } from './harness/browser.ts';

let atrium: TestAtrium;
let browser: Browser;
/** Has an answer but no code, because the highlighter is loaded after code is shown. */
let session: string;

beforeAll(async () => {
  [atrium, browser] = await Promise.all([
    startAtrium({}, inject('startedFolder')),
    sharedBrowser(),
  ]);
  const { slug } = await atrium.client.projects.create({ name: 'Weighed' });
  const { id } = await atrium.client.sessions.create(slug, { name: 'Talk' });
  await atrium.client.messages.postAndWait(slug, id, { body: '@recall **what** do we know?' });
  session = `/p/${slug}/s/${id}`;
});
afterAll(async () => {
  await atrium.stop();
});

const NOTE_HEADING = `
  new MutationObserver((changes, observer) => {
    if (!document.querySelector('h1')) return;
    window.headingAt = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
`;

/** Kilobytes of a kind of file, compressed, asked for until the page had its heading. More is loaded later. */
const weigh = (page: Page, ending: string) =>
  page.evaluate<number>(`performance.getEntriesByType('resource')
    .filter(({ name, startTime }) => name.endsWith('${ending}') && startTime <= window.headingAt)
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize / 1000, 0)`);

describe('the first load', () => {
  it.each(['/sign-in', '/', 'a session', '/memory', '/settings/keys'])(
    'of %s is at most 200 kB of compressed JavaScript',
    async (name) => {
      const path = name === 'a session' ? session : name;
      const { page, context } = await openBrowser(browser, atrium, {
        person: await atrium.owner(),
      });
      await page.addInitScript(NOTE_HEADING);
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('load');
      const script = await weigh(page, '.js');
      expect(script).toBeGreaterThan(50);
      expect(script).toBeLessThanOrEqual(200);
      expect(await weigh(page, '.css')).toBeLessThanOrEqual(30);
      await context.close();
    },
  );
});

describe('a page', () => {
  it.each(['/', '/sign-in', '/invite/some-token', '/p/a/s/b', '/settings/billing'])(
    'at %s allows nothing inline, nothing from other origins and no frames',
    async (path) => {
      const response = await fetch(atrium.origin + path, { headers: { accept: 'text/html' } });
      expect(response.status).toBe(200);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(policy).not.toMatch(/https?:/);
    },
  );

  it.each(['/sign-in', '/invite/some-token', '/confirm-email'])(
    'with a token, %s, sends no referrer',
    async (path) => {
      const response = await fetch(atrium.origin + path, { headers: { accept: 'text/html' } });
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    },
  );

  it('is always revalidated, while its assets are cached for a year', async () => {
    const page = await fetch(`${atrium.origin}/`, { headers: { accept: 'text/html' } });
    expect(page.headers.get('cache-control')).toContain('no-cache');
    const script = /\/assets\/[^"]+\.js/.exec(await page.text())?.[0] ?? '';
    const { headers } = await fetch(atrium.origin + script);
    expect(headers.get('cache-control')).toContain('immutable');
  });
});
