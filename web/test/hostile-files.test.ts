import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeDocx } from '../../server/test/harness/files/office.ts';
import { lines, makePdf } from '../../server/test/harness/files/pdf.ts';
import { makePng } from '../../server/test/harness/images.ts';
import { freePort } from '../../server/test/harness/processes/free-port.ts';
import { composerOf } from './harness/browser.ts';
import { chooseFiles } from './harness/files.ts';
import { createRoom } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const SCRIPT =
  'document.documentElement.dataset.taken = "yes"; (window.opener ?? parent).taken = true;';
const HTML = `<!doctype html><title>x</title><script>${SCRIPT}</script><h1>Hello</h1>`;
const XXE = `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:document xmlns:w="w"><w:p><w:t>&a;</w:t></w:p></w:document>`;
const JS = `(${SCRIPT.replaceAll(/["\\()]/g, '\\$&')})`;

/** A whole picture, whose comment is a page. */
const POLYGLOT = Buffer.concat([
  Buffer.from('47494638396101000100800000ffffff00000021fe', 'hex'),
  Buffer.from([HTML.length]),
  Buffer.from(HTML),
  Buffer.from('00', 'hex'),
  Buffer.from('2c0000000001000100000202440100', 'hex'),
  Buffer.from('3b', 'hex'),
]);

interface Hostile {
  name: string;
  content: string | Buffer;
  /** What the viewer shows of it. */
  shown: (page: Page) => Promise<unknown>;
}

const dialog = (page: Page) => page.getByRole('dialog');
const source = (page: Page) => dialog(page).getByText('dataset.taken').waitFor();
const nothing = (page: Page) => dialog(page).getByText('There is no preview').waitFor();
const picture = (page: Page) =>
  dialog(page)
    .getByRole('img')
    .evaluate((img: HTMLImageElement) => img.decode());

const HOSTILE: Hostile[] = [
  {
    name: 'drawing.svg',
    content: `<svg xmlns="http://www.w3.org/2000/svg"><script>${SCRIPT}</script></svg>`,
    shown: nothing,
  },
  // Of a page, the viewer shows the words.
  { name: 'page.html', content: HTML, shown: (page) => dialog(page).getByText('Hello').waitFor() },
  { name: 'code.js', content: SCRIPT, shown: source },
  {
    name: 'page.gif',
    content: `GIF89a/*${HTML}*/=1;`,
    shown: (page) => dialog(page).getByText('Hello').waitFor(),
  },
  { name: 'polyglot.gif', content: POLYGLOT, shown: picture },
  {
    name: 'script.pdf',
    content: makePdf([{ texts: lines(['The harbour.']) }], {
      catalog: `/OpenAction << /S /JavaScript /JS ${JS} >>`,
    }),
    shown: picture,
  },
  {
    name: 'xxe.docx',
    content: makeDocx('', { 'word/document.xml': XXE }),
    shown: nothing,
  },
  {
    name: '😀'.repeat(255),
    content: 'Smile',
    shown: (page) => dialog(page).getByText('Smile').waitFor(),
  },
];
const SHOWN_BY_BROWSERS = ['polyglot.gif', 'script.pdf'];

async function secondOrigin(): Promise<Record<string, string>> {
  const PORT = String(await freePort());
  return { PORT, FILES_ORIGIN: `http://localhost:${PORT}` };
}

describe.each([
  ['on the same origin', undefined],
  ['with FILES_ORIGIN', secondOrigin],
])('files, %s', (_where, prepare) => {
  const stage = setStage(prepare && { prepare });
  const filesOrigin = () => stage.atrium.origins.at(-1) ?? '';

  it('run nothing, wherever they are opened, and are all shown and saved', async () => {
    const { client, origin } = stage.atrium;
    const room = await createRoom(client, 'Hostile');
    const files = await Promise.all(
      HOSTILE.map(({ name, content }) =>
        client.files.upload(room.projectId, Buffer.from(content), { name, mediaType: 'text/html' }),
      ),
    );
    for (const { id } of files) {
      await client.files.waitUntilReady(id, { text: true }).catch(() => undefined);
    }
    await client.messages.post(room.slug, room.id, { fileIds: files.map(({ id }) => id) });
    const { page, context, complaints } = await stage.openAsOwner();
    const elsewhere = watchContent(context, filesOrigin());
    await page.goto(room.path);
    await composerOf(page).waitFor();
    for (const [at, { name, shown }] of HOSTILE.entries()) {
      const id = files[at]?.id ?? '';
      await page.goto(`${room.path}?file=${id}`);
      await dialog(page).getByRole('heading').first().waitFor();
      await shown(page);
      const download = page.waitForEvent('download');
      await page.keyboard.press('d');
      if (at < HOSTILE.length - 1) expect((await download).suggestedFilename()).toBe(name);
      else await download;
      expect(await page.evaluate('window.taken ?? null'), name).toBeNull();
      await openAddress(context, `/api/files/${id}/content`, name);
      expect(await page.evaluate('window.taken ?? null'), name).toBeNull();
    }
    // Opened by itself, a picture is in a page of the browser's, whose styles the policy refuses too.
    const others = complaints.splice(0).filter((one) => !one.includes('Applying inline style'));
    expect(others).toEqual([]);
    // Somebody who could add an element to the page would still not have a script.
    const script = files[2]?.id ?? '';
    await expect(page.addScriptTag({ url: `/api/files/${script}/content` })).rejects.toThrow(
      /Failed to load|violates/,
    );
    expect(await page.evaluate('window.taken ?? null')).toBeNull();
    expect(complaints.splice(0).join('\n')).toMatch(/MIME type|Content Security Policy/);
    const isOwn = filesOrigin() === origin;
    const sent = (await Promise.all(elsewhere)).filter((headers) => headers !== undefined);
    expect(sent.length).toBeGreaterThan(0);
    if (isOwn) return;
    for (const headers of sent) expect(headers['cookie']).toBeUndefined();
    expect(await context.cookies(filesOrigin())).toEqual([]);
  });

  /** As somebody does who was sent the address: it is saved, or shown in a place that has nothing. */
  async function openAddress(context: BrowserContext, path: string, name: string): Promise<void> {
    const tab = await context.newPage();
    const saved = tab.waitForEvent('download').then(
      () => true,
      () => false,
    );
    const shown = tab.goto(path).then(
      () => false,
      () => saved,
    );
    if (await shown) {
      expect(tab.url()).toBe('about:blank');
    } else {
      expect(SHOWN_BY_BROWSERS).toContain(name);
      expect(new URL(tab.url()).origin).toBe(filesOrigin());
      expect(
        await tab.evaluate('[origin, document.documentElement.dataset.taken ?? null]'),
      ).toEqual(['null', null]);
    }
    await tab.close();
  }

  it('show pictures in messages and the viewer, large ones, and pages of PDFs', async () => {
    const { client } = stage.atrium;
    const room = await createRoom(client, 'Pictures');
    const pdf = makePdf(['One', 'Two'].map((word) => ({ texts: lines([word]) })));
    const files = [];
    for (const [name, content] of [
      ['one.png', makePng(300)],
      ['two.png', makePng(200)],
      ['terms.pdf', pdf],
    ] as const) {
      files.push(await client.files.upload(room.projectId, content, { name }));
    }
    for (const { id } of files) await client.files.waitUntilReady(id);
    await client.messages.post(room.slug, room.id, { fileIds: files.map(({ id }) => id) });
    const { page } = await stage.openAsOwner();
    await page.goto(room.path);
    const first = page.getByRole('button', { name: 'Open one.png' });
    await first.getByRole('img').evaluate((img: HTMLImageElement) => img.decode());
    await first.click();
    await picture(page);
    const src = `document.querySelector('dialog img').currentSrc`;
    expect(await page.evaluate<string>(src)).toContain('/content');
    await page.keyboard.press('ArrowRight');
    await dialog(page).getByRole('img', { name: 'two.png' }).waitFor();
    await picture(page);
    await page.keyboard.press('ArrowRight');
    await dialog(page)
      .getByRole('img', { name: 'Page 1' })
      .evaluate((img: HTMLImageElement) => img.decode());
    const download = page.waitForEvent('download');
    await dialog(page).getByRole('link', { name: 'Download terms.pdf' }).click();
    expect((await download).suggestedFilename()).toBe('terms.pdf');
    expect(new URL(page.url()).pathname).toBe(room.path);
  });

  it('whose name hides how it ends are refused in words', async () => {
    const room = await createRoom(stage.atrium.client, 'Names');
    const { page } = await stage.openAsOwner();
    await page.goto(room.path);
    await composerOf(page).waitFor();
    const content = Buffer.from('MZ');
    await chooseFiles(page, 'Attach files', [
      { name: 'a\u202egnp.exe', type: 'image/png', content },
    ]);
    await page.getByRole('list', { name: 'Attached files' }).getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  });
});

/** The headers of each request for content from there. Undefined of a tab that is closed by then. */
function watchContent(context: BrowserContext, origin: string) {
  const found: Promise<Record<string, string> | undefined>[] = [];
  context.on('request', (request) => {
    const { pathname, origin: to } = new URL(request.url());
    if (to !== origin || !pathname.includes('/content')) return;
    found.push(request.allHeaders().catch(() => undefined));
  });
  return found;
}
