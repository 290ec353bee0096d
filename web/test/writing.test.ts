import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { createRoom, uniqueEmail, type Room } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

async function openRoom(name: string): Promise<Room & { page: Page }> {
  const room = await createRoom(stage.atrium.client, name);
  const { page } = await stage.openAsOwner();
  await page.goto(room.path);
  await expectFocus(page);
  return { ...room, page };
}

async function expectFocus(page: Page): Promise<void> {
  await expect
    .poll(() => composerOf(page).evaluate((field) => field === document.activeElement))
    .toBe(true);
}

const textOf = (page: Page) => composerOf(page).inputValue();

describe('what is typed in a session', () => {
  it('goes to the composer, wherever it is typed, and runs no shortcut', async () => {
    const { page, slug, id } = await openRoom('Anywhere');
    await page.keyboard.type('first');
    await page.keyboard.press('Enter');
    const message = page.locator('article[data-message]').filter({ hasText: 'first' });
    await message.waitFor();
    await message.click();
    await page.keyboard.type('cause the team knows it + [well]');
    expect(await textOf(page)).toBe('cause the team knows it + [well]');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.type('?');
    expect(await textOf(page)).toBe('cause the team knows it + [well]?');
    await page.getByRole('button', { name: 'Session actions' }).focus();
    await page.keyboard.press('Alt+m');
    await expectFocus(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect((await stage.atrium.client.sessions.list(slug)).items.map((one) => one.id)).toEqual([
      id,
    ]);

    // A reply has its own composer, and letters typed next to it go there.
    await message.hover();
    await message.getByRole('button', { name: 'Reply in thread' }).click();
    const reply = page.getByRole('textbox', { name: 'Reply', exact: true });
    await reply.waitFor();
    await page.getByRole('heading', { name: 'Thread' }).click();
    await page.keyboard.type('go');
    expect(await reply.inputValue()).toBe('go');
  });

  it('is kept while the session is still loading', async () => {
    const { path } = await createRoom(stage.atrium.client, 'Loading');
    const { page } = await stage.openAsOwner();
    await page.goto('/');
    const released = Promise.withResolvers<void>();
    await page.route(/\/sessions\/[^/]+$/, async (route) => {
      await released.promise;
      await route.continue();
    });
    const link = page.locator(`nav a[href="${path}"]`);
    await link.click();
    await page.getByText('Loading messages…').first().waitFor({ state: 'attached' });
    await page.keyboard.type('cgh?');
    released.resolve();
    await expectFocus(page);
    expect(await textOf(page)).toBe('cgh?');
    await page.keyboard.type('!');
    expect(await textOf(page)).toBe('cgh?!');
  });

  it('stays as a draft, marked in the sidebar, and Alt with an arrow leaves the composer', async () => {
    const { slug } = await createRoom(stage.atrium.client, 'Drafts');
    const { client } = stage.atrium;
    const second = await client.sessions.create(slug, { name: 'Second' });
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}/s/${second.id}`);
    await expectFocus(page);
    await page.keyboard.type('half a thought');
    const mark = page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /Second/ })
      .getByRole('img', { name: 'Draft' });
    expect(await mark.count()).toBe(0);
    await page.keyboard.press('Alt+ArrowDown');
    await page.waitForURL((url) => !url.pathname.endsWith(second.id));
    await mark.waitFor();
    await expectAccessible(page, 'a draft in the sidebar');
    await page.keyboard.press('Alt+ArrowUp');
    // Until it is drawn, the composer is still that of the session before.
    await expect.poll(() => textOf(page)).toBe('half a thought');
    await expectFocus(page);
    await page.keyboard.press('Enter');
    await expect.poll(() => textOf(page)).toBe('');
    await page.goto('/');
    await page
      .getByRole('link', { name: /Second/ })
      .first()
      .waitFor();
    expect(await mark.count()).toBe(0);
  });

  it('is written without taking focus on a touch screen, where Enter makes a line', async () => {
    const { path } = await createRoom(stage.atrium.client, 'Touch');
    const { page } = await stage.openAsOwner({ size: { width: 360, height: 740 }, isTouch: true });
    await page.goto(path);
    await composerOf(page).waitFor();
    await page.getByRole('status').getByText('Loading').waitFor({ state: 'detached' });
    expect(await composerOf(page).evaluate((field) => field === document.activeElement)).toBe(
      false,
    );
    await composerOf(page).tap();
    await page.keyboard.type('- one');
    await page.keyboard.press('Enter');
    expect(await textOf(page)).toBe('- one\n- ');
  });
});

describe('the composer', () => {
  it('shows all of its placeholder on a phone', async () => {
    const { path } = await createRoom(stage.atrium.client, 'Narrow');
    const { page } = await stage.openAsOwner({ size: { width: 360, height: 740 } });
    await page.goto(path);
    await composerOf(page).waitFor();
    const spare = await composerOf(page).evaluate((field) => {
      const text = document.createElement('span');
      const { font, paddingLeft, paddingRight } = getComputedStyle(field);
      text.style.cssText = `position: fixed; white-space: nowrap; font: ${font}`;
      text.textContent = field.getAttribute('placeholder');
      document.body.append(text);
      const padding = parseFloat(paddingLeft) + parseFloat(paddingRight);
      return field.clientWidth - padding - text.getBoundingClientRect().width;
    });
    expect(spare).toBeGreaterThan(0);
  });

  it('opens a code block, goes on with lists and toggles marks', async () => {
    const { page, slug, id } = await openRoom('Composer');
    await page.keyboard.press('Control+b');
    await page.keyboard.press('Control+b');
    expect(await textOf(page)).toBe('');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('bold');
    await page.keyboard.press('Control+b');
    await page.keyboard.type(' plain');
    expect(await textOf(page)).toBe('**bold** plain');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('1. one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.press('Shift+Enter');
    expect(await textOf(page)).toBe('**bold** plain\n1. one\n2. two\n');
    await page.keyboard.type('```');
    await page.keyboard.press('Enter');
    await page.keyboard.type('a = 1');
    await page.keyboard.press('Enter');
    await page.keyboard.type('b = 2');
    await page.getByText(/Ctrl\+Enter/).waitFor();
    expect((await stage.atrium.client.messages.list(slug, id)).total).toBe(0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    expect(await textOf(page)).toBe('');
    const body = '**bold** plain\n1. one\n2. two\n```\na = 1\nb = 2\n```';
    await expect
      .poll(async () => (await stage.atrium.client.messages.list(slug, id)).items[0]?.body)
      .toBe(body);
  });

  it('edits the last message, which Enter saves', async () => {
    const { page, slug, id } = await openRoom('Editing');
    await page.keyboard.type('helo');
    await page.keyboard.press('Enter');
    await page.locator('article[data-message]').waitFor();
    await page.keyboard.press('ArrowUp');
    const editor = page.getByRole('textbox', { name: 'Message text' });
    await editor.fill('hello');
    await editor.press('Shift+Enter');
    await page.keyboard.type('there');
    await editor.press('Enter');
    await page.getByText('(edited)').waitFor();
    const { items } = await stage.atrium.client.messages.list(slug, id);
    expect(items.map(({ body }) => body)).toEqual(['hello\nthere']);
  });

  it('says whom to mention after a message that nobody answers', async () => {
    const { page } = await openRoom('Asking');
    const hint = (text: string) => page.getByText(text).filter({ visible: true }).first();
    await page.keyboard.type('What do we know?');
    await page.keyboard.press('Enter');
    await hint('Mention @recall to ask.').waitFor();
    await page.keyboard.type('@nobodyhere what do we know?');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await hint('Nobody here answers to @nobodyhere. Mention @recall to ask.').waitFor();
    await page.keyboard.type('@recall what?');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: /^recall/ }).waitFor();
    expect(await page.getByText(/to ask\./).count()).toBe(0);
  });

  it('shows others who is typing, until the message is there', async () => {
    const { page, path } = await openRoom('Typing');
    const { page: theirs } = await stage.open({
      person: await stage.atrium.addPerson(uniqueEmail('ravi')),
    });
    await theirs.goto(path);
    await expectFocus(theirs);
    // Only now does the first page know that it has company.
    await page.reload();
    await expectFocus(page);
    await theirs.keyboard.type('I think');
    await page.getByText(/^ravi.* is typing…$/i).waitFor();
    expect(await theirs.getByText(/is typing/).count()).toBe(0);
    await expectAccessible(page, 'a session in which somebody is typing');
    await theirs.keyboard.press('Enter');
    await page.getByText('I think', { exact: true }).waitFor();
    await page.getByText(/is typing/).waitFor({ state: 'detached' });
  });
});

describe('emoji', () => {
  it('are typed by name, in a message and its edit, and in code a name stays a name', async () => {
    const { page } = await openRoom('Names');
    await page.keyboard.type('done :ta');
    await page.getByRole('option', { name: ':tada: party popper', selected: true }).waitFor();
    await expectAccessible(page, 'emoji suggestions');
    await page.keyboard.press('Enter');
    expect(await textOf(page)).toBe('done 🎉 ');
    await page.keyboard.type('at 10:30 `:tada:` :rocket');
    await page.getByRole('option', { name: /:rocket:/ }).waitFor();
    await page.keyboard.type(': :roc');
    await page.getByRole('option', { name: /:rocket:/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await textOf(page)).toBe('done 🎉 at 10:30 `:tada:` 🚀 :roc');
    await page.keyboard.press('Enter');
    await page.locator('article[data-message]').filter({ hasText: 'done 🎉' }).waitFor();
    await page.keyboard.press('ArrowUp');
    const editor = page.getByRole('textbox', { name: 'Message text' });
    await editor.fill('');
    await page.keyboard.type(':eye');
    await page.getByRole('option', { name: /:eyes:/ }).waitFor();
    await page.keyboard.type('s:');
    expect(await editor.inputValue()).toBe('👀');
    await page.keyboard.press('Enter');
    const edited = page.locator('article[data-message]').filter({ hasText: '👀' });
    await edited.getByText('(edited)').waitFor();
    const size = await edited
      .getByRole('paragraph')
      .filter({ hasText: '👀' })
      .evaluate((text) => parseFloat(getComputedStyle(text).fontSize));
    expect(size).toBeGreaterThan(24);
  });

  it('are picked by keyboard in a skin tone that is remembered, as are the last ones', async () => {
    const { page, slug, id } = await openRoom('Picker');
    const message = await stage.atrium.client.messages.post(slug, id, { body: 'React to me' });
    const row = page.locator(`article[data-message="${message.id}"]`);
    await row.hover();
    await row.getByRole('button', { name: 'React with party popper' }).click();
    await row.getByRole('button', { name: 'you reacted with party popper' }).waitFor();
    await row.getByRole('button', { name: 'Add reaction' }).click();
    const search = page.getByRole('combobox', { name: 'Search emoji' });
    const activeName = () =>
      search.evaluate((field) => {
        const active = document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
        return active?.getAttribute('aria-label');
      });
    await expect.poll(activeName).toBe('party popper');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect.poll(activeName).toBe('grinning face with big eyes');
    await page.getByRole('radio', { name: 'medium skin tone', exact: true }).focus();
    await page.keyboard.press('Space');
    await search.fill('clap');
    await expect.poll(activeName).toBe('clapping hands');
    await search.press('Enter');
    await row.getByRole('button', { name: 'you reacted with clapping hands, medium' }).waitFor();
    await row.getByRole('button', { name: 'Add another reaction' }).click();
    await search.fill('nothing has this name');
    await page.getByText('No emoji found').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('grid').waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await stage.atrium.client.messages.get(slug, message.id)).reactions)
      .toMatchObject([{ emoji: '🎉' }, { emoji: '👏🏽' }]);

    await page.reload();
    await row.hover();
    await row.getByRole('button', { name: 'React with clapping hands, medium' }).waitFor();
    await composerOf(page).fill('well ');
    await page.getByRole('button', { name: 'Add emoji' }).click();
    await page.getByRole('gridcell', { name: 'clapping hands' }).first().click();
    await page.getByRole('grid').waitFor({ state: 'detached' });
    await expectFocus(page);
    expect(await textOf(page)).toBe('well 👏🏽');
  });
});

describe('a session', () => {
  it('is printed whole, shows what it is about, and keeps a right-to-left title at its start', async () => {
    const { client } = stage.atrium;
    const { slug } = await createRoom(client, 'Print');
    const about = 'Everything that has to be true. '.repeat(20).trim();
    const { id } = await client.sessions.create(slug, { name: 'مشروع الإطلاق', description: about });
    for (let at = 1; at <= 60; at++) {
      await client.messages.post(slug, id, { body: `Line ${at}\n\nand another one` });
    }
    const { page } = await stage.openAsOwner({ theme: 'dark' });
    await page.goto(`/p/${slug}/s/${id}`);
    await page.getByText('Line 60', { exact: true }).waitFor();
    const [start, text] = await page.getByRole('heading', { level: 1 }).evaluate((title) => {
      const range = document.createRange();
      range.selectNodeContents(title);
      return [title.getBoundingClientRect().left, range.getBoundingClientRect().left];
    });
    expect(Math.abs((text ?? 0) - (start ?? 0))).toBeLessThan(2);
    const description = page.getByRole('button', { name: /^Description/ });
    expect((await description.boundingBox())?.height).toBeLessThan(30);
    await description.click();
    expect((await description.boundingBox())?.height).toBeGreaterThan(30);

    const articles = page.locator('article[data-message]');
    expect(await articles.count()).toBeLessThan(60);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    await expect.poll(() => articles.count()).toBeGreaterThanOrEqual(50);
    const tops = await articles.evaluateAll((all) =>
      all.map((article) => Math.round(article.getBoundingClientRect().top)),
    );
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    expect(new Set(tops).size).toBe(tops.length);
    const height = await page.evaluate<number>('document.documentElement.scrollHeight');
    expect(height).toBeGreaterThan(2_000);
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light');
    expect(await composerOf(page).isVisible()).toBe(false);
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('keeps messages further apart than their paragraphs, and the author in view', async () => {
    const { page, slug, id } = await openRoom('Apart');
    const long = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}`).join('\n\n');
    await stage.atrium.client.messages.post(slug, id, { body: long });
    await stage.atrium.client.messages.post(slug, id, { body: 'The next message' });
    await page.getByText('The next message', { exact: true }).waitFor();
    const box = async (text: string) => {
      const found = await page.getByText(text, { exact: true }).boundingBox();
      return found ?? { y: 0, height: 0 };
    };
    const [before, last, next] = await Promise.all(
      ['Paragraph 58', 'Paragraph 59', 'The next message'].map(box),
    );
    const gap = (above = { y: 0, height: 0 }, below = { y: 0, height: 0 }) =>
      below.y - above.y - above.height;
    expect(gap(last, next)).toBeGreaterThan(gap(before, last) + 2);
    const author = page.locator('article[data-message]').first().locator('.sticky').first();
    const top =
      (await page
        .getByRole('feed')
        .evaluate((feed) => feed.parentElement?.parentElement?.getBoundingClientRect().top)) ?? 0;
    const { y = -1 } = (await author.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(top - 1);
  });
});
