import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { lines, makePdf } from '../../server/test/harness/files/pdf.ts';
import { makePng } from '../../server/test/harness/images.ts';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { chooseFiles, giveFiles } from './harness/files.ts';
import { createRoom, type Room } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

const png = (name: string, width = 640, height = 320) => ({
  name,
  type: 'image/png',
  content: makePng(width, height),
});
const text = (name: string, content: string) => ({
  name,
  type: 'text/plain',
  content: Buffer.from(content),
});
const large = (name: string, bytes = 1_500_000) => ({
  name,
  type: 'application/octet-stream',
  content: randomBytes(bytes),
});
const PDF = makePdf(
  ['The price list.', 'Delivery takes a week.', 'The notice period is three months.'].map(
    (said) => ({
      texts: lines([said]),
    }),
  ),
);

async function openRoom(
  name: string,
  size = { width: 1280, height: 800 },
): Promise<Room & { page: Page }> {
  const room = await createRoom(stage.atrium.client, name);
  const { page } = await stage.openAsOwner({ size });
  await page.goto(room.path);
  await composerOf(page).waitFor();
  return { ...room, page };
}

const tray = (page: Page) => page.getByRole('list', { name: 'Attached files' });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
const messages = (page: Page) => page.locator('article[data-message]');

async function newest({ slug, id }: Room) {
  const { items } = await stage.atrium.client.messages.list(slug, id);
  return items[0];
}

describe('the composer', () => {
  it('takes files by button, drop and paste, and shows pictures without a jump', async () => {
    const room = await openRoom('Given');
    const { page } = room;
    await chooseFiles(page, 'Attach files', [text('notes.txt', 'Three months.')]);
    await giveFiles(page, 'drop', '[data-composer] textarea', [png('plan.png')]);
    await giveFiles(page, 'paste', '[data-composer] textarea', [png('image.png')]);
    await expect.poll(() => tray(page).getByRole('listitem').count()).toBe(3);
    await page
      .getByText(/^Screenshot /)
      .first()
      .waitFor();
    await expectAccessible(page, 'a composer with files');
    await composerOf(page).fill('Have a look');
    await send(page).click();
    const row = messages(page).filter({ hasText: 'Have a look' });
    await row.getByText('notes.txt').waitFor();
    const picture = row.getByRole('button', { name: 'Open plan.png' });
    await picture.waitFor();
    const box = await picture.boundingBox();
    expect(box && box.width / box.height).toBeCloseTo(2, 1);
    await picture.locator('img').evaluate((img: HTMLImageElement) => img.decode());
    const message = await newest(room);
    expect(message?.attachments.map(({ name }) => name)).toEqual([
      'notes.txt',
      'plan.png',
      expect.stringMatching(/^Screenshot .*\.png$/),
    ]);
    expect(await tray(page).count()).toBe(0);
    await expectAccessible(page, 'a message with files');
  });

  it('sends when the upload is done, goes on after lost connections, and overtakes nothing', async () => {
    const room = await openRoom('Cut');
    const { page } = room;
    const file = large('large.bin');
    let cuts = 2;
    const offsets: string[] = [];
    await page.route(/\/upload$/, async (route) => {
      const request = route.request();
      if (request.method() === 'PATCH' && cuts-- > 0) return route.abort('connectionreset');
      if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '');
      return route.continue();
    });
    await chooseFiles(page, 'Attach files', [file]);
    await send(page).click();
    await page.getByText('Sent when its files are uploaded').waitFor();
    await composerOf(page).fill('Written after it');
    await composerOf(page).press('Enter');
    await messages(page).filter({ hasText: 'Written after it' }).waitFor();
    await messages(page).filter({ hasText: 'large.bin' }).waitFor();
    expect(new Set(offsets).size).toBe(offsets.length);
    const [attachment] = (await newest(room))?.attachments ?? [];
    const fileId = attachment?.fileId ?? '';
    await stage.atrium.client.files.waitUntilReady(fileId);
    const stored = await stage.atrium.client.files.download(fileId);
    expect(Buffer.from(await new Response(stored).arrayBuffer()).equals(file.content)).toBe(true);
  });

  it('goes on after a reload where it was', async () => {
    const room = await openRoom('Reload');
    const { page } = room;
    let sent = 0;
    // The first piece arrives. Then the network is gone until the page was loaded again.
    await page.route(/\/upload$/, async (route) =>
      route.request().method() === 'PATCH' && sent++ > 0 ? route.abort() : route.continue(),
    );
    await chooseFiles(page, 'Attach files', [large('kept.bin')]);
    await composerOf(page).fill('With a file');
    await send(page).click();
    await expect.poll(() => sent).toBeGreaterThan(1);
    await page.unroute(/\/upload$/);
    const offsets: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '');
    });
    await page.reload();
    await messages(page).filter({ hasText: 'With a file' }).getByText('kept.bin').waitFor();
    expect(offsets.length).toBeGreaterThan(0);
    expect(offsets).not.toContain('0');
    expect((await newest(room))?.attachments).toHaveLength(1);
  });

  it('asks for a file again that the browser has not kept, and takes only the same', async () => {
    const room = await openRoom('Forgotten');
    const { page } = room;
    await page.route(/\/upload$/, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    const file = large('forgotten.bin', 90_000);
    const lost = page.waitForEvent('requestfailed');
    await chooseFiles(page, 'Attach files', [file]);
    await lost;
    await page.evaluate(`indexedDB.databases().then((all) => Promise.all(all.map(({ name }) => {
      const request = indexedDB.open(name);
      return new Promise((resolve) => request.addEventListener('success', () => {
        const store = request.result.transaction('files', 'readwrite').objectStore('files');
        store.clear().addEventListener('success', resolve);
      }));
    })))`);
    await page.unroute(/\/upload$/);
    await page.reload();
    await tray(page).getByText('This browser no longer has the file.').waitFor();
    expect(await send(page).isDisabled()).toBe(true);
    await chooseFiles(page, 'Choose forgotten.bin again', [text('other.txt', 'x')]);
    await page.getByText('That is another file.').waitFor();
    await chooseFiles(page, 'Choose forgotten.bin again', [file]);
    await tray(page).getByText('88 KB').waitFor();
    await send(page).click();
    await messages(page).filter({ hasText: 'forgotten.bin' }).waitFor();
  });

  it('never posts a message without a file that failed, and nothing is lost', async () => {
    const room = await openRoom('Failed');
    const { page } = room;
    await page.route(/\/api\/projects\/[^/]+\/files$/, (route) =>
      route.request().postDataJSON()?.name === 'bad.bin'
        ? route.fulfill({
            status: 400,
            json: {
              success: false,
              error: { code: 'VALIDATION_ERROR', message: 'It is too large.', details: {} },
              metadata: {},
            },
          })
        : route.continue(),
    );
    await chooseFiles(page, 'Attach files', [text('good.txt', 'Good'), large('bad.bin', 1000)]);
    await composerOf(page).fill('Both or nothing');
    await tray(page).getByText('It is too large.').waitFor();
    expect(await send(page).isDisabled()).toBe(true);
    await composerOf(page).press('Enter');
    expect(await composerOf(page).inputValue()).toBe('Both or nothing');
    await page.reload();
    await tray(page).getByText('It is too large.').waitFor();
    expect(await composerOf(page).inputValue()).toBe('Both or nothing');
    expect(await newest(room)).toBeUndefined();
    await page.getByRole('button', { name: 'Remove bad.bin' }).click();
    await send(page).click();
    await messages(page).filter({ hasText: 'Both or nothing' }).waitFor();
    expect((await newest(room))?.attachments.map(({ name }) => name)).toEqual(['good.txt']);
  });

  it('cancels an upload, here and on the server', async () => {
    const { page, projectId } = await openRoom('Cancelled');
    await page.route(/\/upload$/, (route) =>
      route.request().method() === 'PATCH' ? undefined : route.continue(),
    );
    const opened = page.waitForResponse(/\/api\/projects\/[^/]+\/files$/);
    await chooseFiles(page, 'Attach files', [large('unwanted.bin')]);
    const { data } = (await (await opened).json()) as { data: { id: string } };
    const deleted = page.waitForResponse(
      (response) => response.request().method() === 'DELETE' && response.url().includes(data.id),
    );
    await page.getByRole('button', { name: 'Cancel unwanted.bin' }).click();
    expect((await deleted).status()).toBe(204);
    await tray(page).waitFor({ state: 'detached' });
    expect((await stage.atrium.client.files.list(projectId)).items).toEqual([]);
  });
});

describe('the viewer', () => {
  it('goes from picture to picture by keyboard, keeps focus inside, and gives it back', async () => {
    const room = await openRoom('Lightbox');
    const { client } = stage.atrium;
    const ids: string[] = [];
    for (const name of ['one.png', 'two.png']) {
      ids.push((await client.files.upload(room.projectId, makePng(300), { name })).id);
    }
    await Promise.all(ids.map((id) => client.files.waitUntilReady(id)));
    await client.messages.post(room.slug, room.id, { body: 'Two', fileIds: ids });
    const { page } = room;
    const first = page.getByRole('button', { name: 'Open one.png' });
    await first.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'one.png' }).waitFor();
    await expectAccessible(page, 'a picture in the viewer');
    await page.keyboard.press('ArrowRight');
    await dialog.getByRole('img', { name: 'two.png' }).waitFor();
    expect(page.url()).toContain(`file=${ids[1]}`);
    for (let tabs = 0; tabs < 8; tabs++) {
      await page.keyboard.press('Tab');
      const outside = `!document.activeElement.closest('dialog') && document.activeElement !== document.body`;
      expect(await page.evaluate<boolean>(outside)).toBe(false);
    }
    const download = page.waitForEvent('download');
    await page.keyboard.press('d');
    expect((await download).suggestedFilename()).toBe('two.png');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await first.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(page.url()).not.toContain('file=');
  });

  it('opens a PDF at the page of the address, and finds words in it', async () => {
    const room = await createRoom(stage.atrium.client, 'Pages');
    const { client } = stage.atrium;
    const file = await client.files.upload(room.projectId, PDF, { name: 'terms.pdf' });
    await client.files.update(file.id, { isShared: true });
    await client.files.waitUntilReady(file.id, { text: true });
    const { page } = await stage.openAsOwner();
    await page.goto(`${room.path}?file=${file.id}&page=2`);
    const dialog = page.getByRole('dialog', { name: 'terms.pdf' });
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Page' }).inputValue()).toBe('2');
    const shown = dialog.getByRole('img', { name: 'Page 2' });
    await shown.evaluate((img: HTMLImageElement) => img.decode());
    await dialog.getByRole('searchbox', { name: 'Find in this file' }).fill('Notice  Period');
    await page.keyboard.press('Enter');
    await dialog.getByText('is three months').waitFor();
    await dialog.getByRole('img', { name: 'Page 3' }).waitFor();
    await expectAccessible(page, 'a PDF in the viewer');
    // Nothing of the PDF is given to the browser.
    expect(await page.locator('embed, object, iframe').count()).toBe(0);
  });

  it('says quietly that a file is gone', async () => {
    const room = await openRoom('Gone');
    const { client } = stage.atrium;
    const file = await client.files.upload(room.projectId, Buffer.from('a'), { name: 'a.txt' });
    await client.messages.post(room.slug, room.id, { fileIds: [file.id] });
    const { page } = room;
    await messages(page).getByText('a.txt').waitFor();
    await client.files.delete(file.id);
    await page.getByText('The file of this message was deleted.').waitFor();
    await page.goto(`${room.path}?file=${file.id}`);
    await page.getByText('File not available').waitFor();
  });
});

const SCRIPT = 'document.documentElement.dataset.taken = "yes"; parent.taken = true;';

describe('what a browser would run', () => {
  it.each([
    ['drawing.svg', `<svg xmlns="http://www.w3.org/2000/svg"><script>${SCRIPT}</script></svg>`],
    ['page.html', `<!doctype html><title>x</title><script>${SCRIPT}</script><h1>Hello</h1>`],
    ['picture.gif', `GIF89a/*<html><script>${SCRIPT}</script>*/=1;`],
  ])('%s is a download, and never runs on this origin', async (name, content) => {
    const room = await openRoom('Hostile');
    const { client } = stage.atrium;
    const file = await client.files.upload(room.projectId, Buffer.from(content), {
      name,
      mediaType: name.endsWith('svg') ? 'image/svg+xml' : 'text/html',
    });
    await client.messages.post(room.slug, room.id, { body: 'Look', fileIds: [file.id] });
    const { page } = room;
    await messages(page).getByText(name).waitFor();
    // As somebody does who was sent the address.
    const other = await page.context().newPage();
    const started = other.waitForEvent('download', { timeout: 5_000 }).catch(() => undefined);
    await other.goto(`/api/files/${file.id}/content`).catch(() => undefined);
    await started;
    expect(await other.evaluate('document.documentElement.dataset.taken ?? null')).toBeNull();
    await page.goto(`${room.path}?file=${file.id}`);
    await page.getByRole('dialog').waitFor();
    await page.waitForTimeout(300);
    expect(await page.evaluate('window.taken ?? null')).toBeNull();
    const { headers } = await fetch(`${stage.atrium.origin}/api/files/${file.id}/content`, {
      headers: { authorization: `Bearer ${stage.atrium.firstRun.key}` },
    });
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('files of a project and of tasks', () => {
  it('are shared, found, renamed and deleted on their page, and by the palette', async () => {
    const room = await createRoom(stage.atrium.client, 'Library');
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${room.slug}/files`);
    await page.getByText('No files yet').waitFor();
    await chooseFiles(page, 'Upload files', [
      text('handbook.txt', 'Rules'),
      png('logo.png', 80, 80),
    ]);
    const list = page.getByRole('list', { name: 'Files', exact: true });
    await list.getByText('Shared').nth(1).waitFor();
    await expectAccessible(page, 'the files of a project');
    await page.getByRole('searchbox', { name: 'Find files by name' }).fill('hand');
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);

    await page.getByRole('button', { name: 'Actions for handbook.txt' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('handbook 2027.txt');
    await page.getByRole('button', { name: 'Save name' }).click();
    await list.getByText('handbook 2027.txt').waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('handbook');
    await page.getByRole('group', { name: 'Files' }).getByRole('option').first().click();
    await page.getByRole('dialog').getByText('Rules').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Actions for handbook 2027.txt' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete file' }).click();
    await page.getByText('No files found').waitFor();
    await page.goto('/settings/usage');
    await page.getByRole('meter', { name: 'Storage used' }).waitFor();
  });

  it('are dropped on a task, and taken from it', async () => {
    const { client } = stage.atrium;
    const { projectId, slug } = await createRoom(client, 'Work');
    const task = await client.tasks.create(projectId, { title: 'Draw it', description: 'Soon.' });
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}/t/${task.number}`);
    await page.getByText('Soon.').waitFor();
    await giveFiles(page, 'drop', 'h1', [png('sketch.png')]);
    const list = page.getByRole('list', { name: 'Files', exact: true });
    await list.getByRole('button', { name: /^sketch/ }).waitFor();
    expect((await client.tasks.get(projectId, task.id)).attachments).toHaveLength(1);
    await page.getByRole('button', { name: 'Remove sketch.png from the task' }).click();
    await list.waitFor({ state: 'detached' });
    expect((await client.tasks.get(projectId, task.id)).attachments).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await list.getByRole('button', { name: /^sketch/ }).waitFor();
  });
});

it('fits on a phone', async () => {
  const { page } = await openRoom('Phone', { width: 360, height: 740 });
  await chooseFiles(page, 'Attach files', [
    png('wide.png', 2000, 300),
    text(`${'a very long name '.repeat(8)}.txt`, 'x'),
  ]);
  await send(page).click();
  await page.getByRole('button', { name: 'Open wide.png' }).waitFor();
  const overflow = () =>
    page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Open wide.png' }).click();
  await page.getByRole('dialog').getByRole('img').waitFor();
  expect(await overflow()).toBeLessThanOrEqual(0);
  await expectAccessible(page, 'a picture on a phone');
});
