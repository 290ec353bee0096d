import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createGuard, startServer } from '../../../test/harness/stages/guard-stage.ts';
import { createWebPages } from './create-web-pages.ts';
import type { PageSummary } from './web-pages.ts';

const { signal } = new AbortController();

/** What is read of one page, on a server that may be called although it is private. */
async function readFrom(handle: RequestListener, path = '/'): Promise<PageSummary | null> {
  const server = await startServer(handle);
  return createWebPages(createGuard([server.port])).summarise(server.url + path, signal);
}

const page =
  (body: string | Uint8Array, type = 'text/html; charset=utf-8', headers: object = {}) =>
  (_: unknown, response: Parameters<RequestListener>[1]) =>
    void response.writeHead(200, { 'content-type': type, ...headers }).end(body);
const head = (tags: string) => `<!doctype html><html><head>${tags}</head><body>Text</body></html>`;
const titleOf = async (tags: string) => (await readFrom(page(head(tags))))?.title;

describe('what a page says', () => {
  it('is its title, its description and its site', async () => {
    const tags = `<title>Plain</title><meta name="description" content="About &amp; more">
      <meta property='og:title' content='Pricing &#8211; what&rsquo;s new'><meta property=og:site_name content=Acme>`;
    expect(await readFrom(page(head(tags)))).toEqual({
      site: 'Acme',
      title: 'Pricing – what’s new',
      description: 'About & more',
    });
  });

  it('may be only a title, in the first of the places that have one', async () => {
    expect(await readFrom(page('<TITLE lang=en>\n Just\ta  title </TITLE>'))).toEqual({
      site: 'localhost',
      title: 'Just a title',
      description: null,
    });
    expect(await titleOf('<meta property="og:title" content=" "><title>Second</title>')).toBe(
      'Second',
    );
  });

  it('is not what looks like it in scripts, comments, images or the body', async () => {
    const decoys = `<!-- <title>Comment</title> --><script>"<title>Script</title>"</script>
      <svg><title>Image</title></svg><template><title>Template</title></template>`;
    expect(await titleOf(`${decoys}<title>Real</title>`)).toBe('Real');
    expect(await readFrom(page('<head></head><body><title>Body</title>'))).toBeNull();
  });

  it.each([
    [
      'header',
      page(Buffer.from('<title>Gr\xfc\xdfe</title>', 'latin1'), 'text/html; charset=iso-8859-1'),
    ],
    [
      'meta',
      page(
        Buffer.from('<meta charset="windows-1252"><title>Gr\xfc\xdfe</title>', 'latin1'),
        'text/html',
      ),
    ],
    [
      'mark',
      page(Buffer.from('\ufeff<title>Grüße</title>', 'utf16le'), 'text/html; charset=utf-8'),
    ],
    ['unknown', page('<title>Grüße</title>', 'text/html; charset=klingon')],
    [
      'compressed',
      page(gzipSync('<title>Grüße</title>'), 'text/html', { 'content-encoding': 'gzip' }),
    ],
  ])('is read in its encoding: %s', async (_, handle) => {
    expect((await readFrom(handle))?.title).toBe('Grüße');
  });

  it('with bytes that are no text has marks in their place', async () => {
    expect((await readFrom(page(Buffer.from('<title>a\xff\xfeb</title>', 'latin1'))))?.title).toBe(
      'a��b',
    );
  });
});

describe('a malicious page', () => {
  it('is plain text without hidden characters, of limited length', async () => {
    expect(await titleOf('<title>&lt;img src=x onerror=alert(1)&gt; **bold**</title>')).toBe(
      '<img src=x onerror=alert(1)> **bold**',
    );
    expect(await titleOf('<title>in\u202evoice\u200b &#8238;&#x0;pdf&#xd800;\u0007</title>')).toBe(
      'invoice \ufffdpdf\ufffd',
    );
    expect(await titleOf(`<title>Z${'\u0301'.repeat(500)}algo</title>`)).toHaveLength(9);
    const long = await readFrom(
      page(
        head(
          `<title>${'🚀'.repeat(3_000)}</title><meta name=description content="${'x'.repeat(9_000)}">`,
        ),
      ),
    );
    expect(Array.from(long?.title ?? '')).toHaveLength(200);
    expect(long?.title.isWellFormed()).toBe(true);
    expect(long?.description).toHaveLength(300);
  });

  it.each([
    '<meta '.repeat(100_000),
    `<meta ${' '.repeat(500_000)}`,
    '<meta a="'.repeat(100_000),
    '<title>'.repeat(100_000),
    '<!--'.repeat(200_000),
    '<script>'.repeat(100_000),
    `<title>${'&'.repeat(900_000)}</title>`,
  ])('is read at once, whatever it repeats: %#', async (html) => {
    const started = performance.now();
    await readFrom(page(html));
    // A pattern that reads its text again and again takes minutes.
    expect(performance.now() - started).toBeLessThan(4_000);
  });

  it('that never ends is read up to a mebibyte, or its head', async () => {
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const endless =
      (start: string): RequestListener =>
      async (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).write(start);
        while (!response.destroyed) {
          response.write(chunk);
          await sleep(1);
        }
      };
    expect((await readFrom(endless('<title>Long</title>')))?.title).toBe('Long');
    expect((await readFrom(endless('<head><title>Short</title></head>')))?.title).toBe('Short');
  });

  it.each([
    ['sends no headers', () => {}],
    [
      'sends a little at a time',
      async (_: unknown, response: Parameters<RequestListener>[1]) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        while (!response.destroyed) {
          response.write('<meta a=b>');
          await sleep(20);
        }
      },
    ],
  ])('that %s is left in time', async (_, handle) => {
    const server = await startServer((request, response) => void handle(request, response));
    const pages = createWebPages(createGuard([server.port]), 300);
    expect(await pages.summarise(server.url, signal)).toBeNull();
  });
});

describe('is not read', () => {
  it('a private address, nor one that a public page leads to', async () => {
    const inside = await startServer(page(head('<title>Secret</title>')));
    expect(await createWebPages(createGuard([])).summarise(inside.url, signal)).toBeNull();
    const outside = await startServer((_, response) =>
      response.writeHead(302, { location: `${inside.url}/admin` }).end(),
    );
    const pages = createWebPages(createGuard([outside.port]));
    expect(await pages.summarise(outside.url, signal)).toBeNull();
    expect(outside.requests).toHaveLength(1);
    expect(inside.connections()).toBe(0);
    for (const url of ['https://169.254.169.254/latest', 'https://[::1]/', 'http://localhost/']) {
      expect(await pages.summarise(url, signal)).toBeNull();
    }
  });

  it.each([
    ['another type', page('<title>Text</title>', 'text/plain')],
    [
      'no type',
      (_: unknown, response: Parameters<RequestListener>[1]) =>
        void response.end('<title>x</title>'),
    ],
    ['a type that only begins like it', page('<title>Text</title>', 'text/html-like')],
    [
      'an error',
      (_: unknown, response: Parameters<RequestListener>[1]) =>
        void response
          .writeHead(404, { 'content-type': 'text/html' })
          .end('<title>Not found</title>'),
    ],
  ])('%s', async (_, handle) => {
    expect(await readFrom(handle)).toBeNull();
  });

  it('with anything that says who asks', async () => {
    const server = await startServer(page('<title>Seen</title>'));
    await createWebPages(createGuard([server.port])).summarise(`${server.url}/a?b=c#d`, signal);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'GET', path: '/a?b=c', body: '' });
    expect(Object.keys(request?.headers ?? {})).not.toContain('cookie');
    expect(Object.keys(request?.headers ?? {})).not.toContain('referer');
    expect(request?.headers['user-agent']).toContain('link preview');
  });
});
