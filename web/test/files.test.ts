import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makePng } from '../../server/test/harness/images.ts';
import { composerOf, expectAccessible, type PageOptions } from './harness/browser.ts';
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
async function openRoom(name: string, options: PageOptions = {}): Promise<Room & { page: Page }> {
  const room = await createRoom(stage.atrium.client, name);
  const { page } = await stage.openAsOwner(options);
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
    const refused = new Set(['bad.bin', 'late.bin']);
    await page.route(/\/api\/projects\/[^/]+\/files$/, (route) =>
      refused.has(route.request().postDataJSON()?.name)
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
    const others = [...refused].map((name) => large(name, 1000));
    await chooseFiles(page, 'Attach files', [text('good.txt', 'Good'), ...others]);
    await composerOf(page).fill('Both or nothing');
    const problems = tray(page).getByText('It is too large.');
    await expect.poll(() => problems.count()).toBe(2);
    expect(await send(page).isDisabled()).toBe(true);
    await composerOf(page).press('Enter');
    expect(await composerOf(page).inputValue()).toBe('Both or nothing');
    await page.reload();
    await expect.poll(() => problems.count()).toBe(2);
    expect(await composerOf(page).inputValue()).toBe('Both or nothing');
    expect(await newest(room)).toBeUndefined();
    await page.getByRole('button', { name: 'Remove bad.bin' }).click();
    refused.clear();
    await page.getByRole('button', { name: 'Try late.bin again' }).click();
    await send(page).click();
    await messages(page).filter({ hasText: 'Both or nothing' }).waitFor();
    expect((await newest(room))?.attachments.map(({ name }) => name)).toEqual([
      'good.txt',
      'late.bin',
    ]);
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

    // From everywhere.
    await page.goto('/later');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('handbook');
    const found = page.getByRole('group', { name: 'Files' }).getByRole('option');
    await found.filter({ hasText: 'File in Library' }).first().click();
    await page.getByRole('dialog').getByText('Rules').waitFor();
    await page.goto(`/p/${room.slug}/files?q=hand`);

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
  const { page } = await openRoom('Phone', { size: { width: 360, height: 740 }, isTouch: true });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Take a photo' }).click();
  const field = (await chooser).element();
  expect(await field.getAttribute('capture')).toBe('environment');
  expect(await field.getAttribute('accept')).toBe('image/*');
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
