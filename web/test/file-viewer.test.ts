import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { lines, makePdf } from '../../server/test/harness/files/pdf.ts';
import { makePng } from '../../server/test/harness/images.ts';
import { composerOf, expectAccessible, say } from './harness/browser.ts';
import { createRoom, type Room } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

const PDF = makePdf(
  [
    ['The price list.'],
    ['Delivery takes a week after the notice.'],
    ['The notice period is three months.', '', 'A NOTICE is written.'],
  ].map((said) => ({ texts: lines(said, 14) })),
);

async function openRoom(name: string): Promise<Room & { page: Page }> {
  const room = await createRoom(stage.atrium.client, name);
  const { page } = await stage.openAsOwner();
  await page.goto(room.path);
  await composerOf(page).waitFor();
  return { ...room, page };
}

it('@recall answers from a PDF, and its source opens the page', async () => {
  const room = await openRoom('Asked');
  const { client } = stage.atrium;
  const file = await client.files.upload(room.projectId, PDF, { name: 'terms.pdf' });
  await client.files.waitUntilReady(file.id, { text: true });
  await client.messages.post(room.slug, room.id, { body: 'Our terms', fileIds: [file.id] });
  const { page } = room;
  await say(page, '@recall how long is the notice period?');
  const sources = page.getByRole('list', { name: 'Sources' });
  await sources
    .getByRole('button', { name: /Page 3 .*terms\.pdf/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'terms.pdf' });
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Page' }).inputValue()).toBe('3');
  expect(page.url()).toContain('page=3');
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
    await page.keyboard.press('Control+f');
    await page.keyboard.type('notice');
    // From the page that is shown, and round at the end.
    for (const [key, at, on] of [
      ['', '1 of 3', 2],
      ['Enter', '2 of 3', 3],
      ['Enter', '3 of 3', 3],
      ['Enter', '1 of 3', 2],
      ['Shift+Enter', '3 of 3', 3],
    ] as const) {
      if (key) await page.keyboard.press(key);
      await dialog.getByRole('status').filter({ hasText: at }).waitFor();
      const mark = dialog.locator('[data-match=current]');
      const picture = dialog.getByRole('img', { name: `Page ${on}` });
      const boxOf = (of: Locator) => of.evaluate((one) => one.getBoundingClientRect().toJSON());
      await expect
        .poll(async () => {
          const [inner, outer] = [await boxOf(mark), await boxOf(picture)];
          return inner.width > 0 && inner.top > outer.top && inner.bottom < outer.bottom;
        })
        .toBe(true);
    }
    await expectAccessible(page, 'a PDF in the viewer');
    await dialog.getByRole('searchbox').fill('nothing like it');
    await dialog.getByText('Not found').waitFor();
    // Nothing of the PDF is given to the browser.
    expect(await page.locator('embed, object, iframe').count()).toBe(0);
  });

  it('says quietly that a file is gone', async () => {
    const room = await openRoom('Gone');
    const { client } = stage.atrium;
    const file = await client.files.upload(room.projectId, Buffer.from('a'), { name: 'a.txt' });
    await client.messages.post(room.slug, room.id, { fileIds: [file.id] });
    const { page } = room;
    await page.getByRole('article').getByText('a.txt').waitFor();
    await client.files.delete(file.id);
    await page.getByText('The file of this message was deleted.').waitFor();
    await page.goto(`${room.path}?file=${file.id}`);
    await page.getByText('File not available').waitFor();
  });
});
