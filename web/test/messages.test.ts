import type { Message } from '@atrium/sdk';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { composerOf, expectAccessible, say } from './harness/browser.ts';
import { startModel, type TestModel } from './harness/model.ts';
import { createRoom, uniqueEmail, type Room } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

let model: TestModel;

const stage = setStage({
  prepare: async () => {
    model = await startModel();
    return model.env;
  },
});

afterAll(() => model.close());

async function openRoom(name: string): Promise<Room & { page: Page }> {
  const room = await createRoom(stage.atrium.client, name);
  const { page } = await stage.openAsOwner();
  await page.goto(room.path);
  await composerOf(page).waitFor();
  return { ...room, page };
}

/** Uses the message's menu, with the mouse. */
async function choose(page: Page, text: string, action: string): Promise<void> {
  // It has no menu while it is being sent.
  const row = page.locator('article[data-message]').filter({ hasText: text }).first();
  await row.hover();
  await row.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Shows a preview of this link as if the server had read the page, from `start` on, unless it is hidden. */
async function showPreviews(page: Page, url: string) {
  const preview = {
    url,
    site: 'Example Inc.',
    title: 'Price list 2027',
    description: 'What every plan costs from January on.',
  };
  let isRead = false;
  await page.route(
    /\/api\/spaces\/[^/]+\/(messages|sessions\/[^/]+\/messages)\b/,
    async (route) => {
      const request = route.request();
      const change = request.method() === 'PATCH' ? request.postDataJSON() : {};
      if ('hidePreviews' in change) isRead = !change.hidePreviews;
      const response = await route.fetch();
      if (request.method() !== 'GET' || response.status() !== 200)
        return route.fulfill({ response });
      const json = await response.json();
      for (const message of (json.data.items ?? [json.data]) as Message[]) {
        if (isRead && message.body.includes(url)) message.previews = [preview];
      }
      return route.fulfill({ response, json });
    },
  );
  return {
    start() {
      isRead = true;
    },
  };
}

function isWhollyVisible(row: Locator): Promise<boolean> {
  return row.evaluate((element) => {
    const composer = document.querySelector('[data-composer]')?.getBoundingClientRect();
    return element.getBoundingClientRect().bottom <= (composer?.top ?? 0);
  });
}

describe('a message', () => {
  it('takes 28 px as a line of a group, in the font that the server has', async () => {
    const { page } = await openRoom('Lines');
    for (const text of ['First of three', 'Second of three', 'Third of three']) {
      await say(page, text);
      await page.locator('article[data-message]').filter({ hasText: text }).waitFor();
    }
    const third = page.locator('article[data-message]').filter({ hasText: 'Third of three' });
    expect((await third.boundingBox())?.height).toBeCloseTo(28, 1);
    await page.evaluate('document.fonts.ready');
    expect(await page.evaluate("document.fonts.check('15px \\'Inter Variable\\'')")).toBe(true);
  });

  it('is printed whole, links to tasks that there are, and no toast covers the composer', async () => {
    const { page, projectId } = await openRoom('Small');
    await stage.atrium.client.tasks.create(projectId, { title: 'The only one' });
    const code = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n');
    await say(page, `Task #1, not #2\n\n\`\`\`\n${code}\n\`\`\``);
    const row = page.locator('article[data-message]').filter({ hasText: 'Task' });
    await row.getByRole('link', { name: '#1', exact: true }).waitFor();
    expect(await row.getByRole('link').count()).toBe(1);
    await page.emulateMedia({ media: 'print' });
    const cut = (block: Element) => block.scrollHeight - block.clientHeight;
    expect(await row.locator('pre').evaluate(cut)).toBe(0);
    await page.emulateMedia({ media: 'screen' });

    await choose(page, 'Task', 'Copy link');
    const toast = await page.getByText('Link copied').boundingBox();
    const form = await page.getByRole('form', { name: 'Write a message' }).boundingBox();
    expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(form?.y ?? 0);
  });

  it('is edited, remembered and deleted', async () => {
    const { page, path } = await openRoom('Actions');
    await say(page, 'The printer is on the third flor.');
    await page.getByText('third flor').waitFor();
    await choose(page, 'third flor', 'Edit');
    const editor = page.getByRole('textbox', { name: 'Message text' });
    await editor.fill('The printer is on the third floor.');
    await editor.press('Control+Enter');
    await page.getByText('edited').first().waitFor();

    await choose(page, 'third floor', 'Remember this');
    await page.getByRole('dialog').getByRole('button', { name: 'Save memory' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { items } = await stage.atrium.client.memory.list();
    expect(items[0]).toMatchObject({
      content: 'The printer is on the third floor.',
      visibility: 'PROJECT',
      sourceUrl: expect.stringContaining(path),
    });

    await choose(page, 'third floor', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete message' }).click();
    await page.getByText('This message was deleted.').waitFor();
    expect(await page.getByText('third floor').count()).toBe(0);
  });

  it('shows what is behind its links, until its author removes it', async () => {
    const { page, slug, id: sessionId } = await openRoom('Links');
    const { client } = stage.atrium;
    for (let nth = 0; nth < 15; nth++) {
      await client.messages.post(slug, sessionId, { body: `Line ${nth}` });
    }
    const previews = await showPreviews(page, 'https://www.example.com/prices');
    await say(page, 'The prices: https://www.example.com/prices');
    const row = page.locator('article[data-message]').filter({ hasText: 'The prices' });
    const card = row.getByRole('list', { name: 'Link previews' });
    await row.waitFor();
    expect(await card.count()).toBe(0);

    previews.start();
    const messageId = (await row.getAttribute('data-message')) ?? '';
    await client.messages.react(slug, messageId, { emoji: '👀' });
    await card.getByRole('link', { name: 'Price list 2027' }).waitFor();
    expect(await card.textContent()).toContain('Example Inc.·example.com');
    await expect.poll(() => isWhollyVisible(row)).toBe(true);
    await expectAccessible(page, 'a link preview');

    await row.hover();
    await row.getByRole('button', { name: 'Remove preview' }).press('Enter');
    await card.waitFor({ state: 'detached' });
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await card.waitFor();
  });

  it('has its own thread, with a link that opens it', async () => {
    const { page } = await openRoom('Threads');
    await say(page, 'Shall we?');
    await choose(page, 'Shall we?', 'Reply in thread');
    const reply = page.getByRole('textbox', { name: 'Reply', exact: true });
    await reply.fill('Yes.');
    await reply.press('Enter');
    await page.getByRole('button', { name: /1 reply/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('thread')).toBeTruthy();
    await page.reload();
    await page.getByText('Yes.', { exact: true }).first().waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('feed').getByText('Yes.', { exact: true }).count()).toBe(0);
  });

  it('that is not sent yet survives navigation and a reload', async () => {
    const { page, path } = await openRoom('Drafts');
    await composerOf(page).fill('Half a thought');
    await page.goto('/memory');
    await page.goto(path);
    await expect.poll(() => composerOf(page).inputValue()).toBe('Half a thought');
  });
});

describe('a model', () => {
  it('is shown answering, and a failed reply says why and is retried in its place', async () => {
    const { page, path, slug, id } = await openRoom('Failing');
    const ravi = await stage.open({ person: await stage.atrium.addPerson(uniqueEmail('ravi')) });
    await ravi.page.goto(path);
    const refused = { status: 401, errorType: 'authentication_error' };
    const held = Promise.withResolvers<void>();
    model.answerWith(async (_, index) => {
      await held.promise;
      return index === 0 ? refused : 'Now **I** can.';
    });
    await say(page, '@ada can you?');
    await page.getByText('Thinking').waitFor();
    held.resolve();
    // Who asked, owners and admins retry a reply.
    await ravi.page.getByText("Couldn't generate a reply").first().waitFor();
    expect(await ravi.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('can.').first().waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    // Its text is shown before it lands.
    const list = async () => (await stage.atrium.client.messages.list(slug, id)).items;
    const states = async () => (await list()).map(({ authorKind, status }) => [authorKind, status]);
    await expect.poll(states).toEqual([
      ['AGENT', 'COMPLETED'],
      ['USER', 'COMPLETED'],
    ]);
  });

  it('has Stop in sight however long it is, also when it is tried again', async () => {
    const { page } = await openRoom('Long');
    await page.setViewportSize({ width: 1000, height: 500 });
    const text = Array.from({ length: 60 }, (_, at) => `Paragraph ${at}.\n\n`).join('');
    const never = (event: number) => (event < 2 ? Promise.resolve() : new Promise(() => {}));
    const half = { text: `${text}${text}`, chunks: 2, pace: never };
    model.answerWith([half, half]);
    await say(page, '@ada tell me everything');
    const stop = page.getByRole('button', { name: 'Stop ada' });
    const canBeClicked = async () => {
      await page.getByText('Paragraph 59.').first().waitFor();
      await page.getByRole('article').last().hover();
      await stop.click({ trial: true });
      const box = await stop.boundingBox();
      expect(box?.y).toBeGreaterThan(0);
      expect(box?.y).toBeLessThan(500);
    };
    await canBeClicked();
    await page.getByRole('button', { name: 'Stop the answer' }).click();
    await page.getByText('Stopped before it was finished').first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await canBeClicked();
    // Nothing has focus, and Escape still stops it.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('Escape');
    await page.getByText('Stopped before it was finished').first().waitFor();
  });

  it('is read while it writes, after a reload and in another tab, and stopped with Escape', async () => {
    const { page, path, slug, id } = await openRoom('Streaming');
    const ravi = await stage.atrium.addPerson(uniqueEmail('ravi'));
    const parts = ['# Plan\n\nFirst **the roof**.\n\n', 'Then the walls.', 'Never shown.'];
    const text = parts.map((part) => part.padEnd(30)).join('');
    const secondPart = Promise.withResolvers<void>();
    // Each part is an event, after one that is empty. The last part never comes.
    const pace = (event: number) =>
      [undefined, undefined, secondPart.promise, new Promise(() => {})][event] ?? Promise.resolve();
    const secondAnswer = Promise.withResolvers<void>();
    const again = { text: 'All of it.', chunks: 1, pace: () => secondAnswer.promise };
    model.answerWith([{ text, chunks: 3, pace }, again]);
    const list = async () => (await stage.atrium.client.messages.list(slug, id)).items;

    await say(page, '@ada how do we build?');
    const reply = page.getByRole('article', { name: 'ada is answering' });
    await reply.getByText('the roof', { exact: true }).waitFor();
    expect(await list()).toMatchObject([{ authorKind: 'USER', pendingReplies: [{}] }]);
    const second = await page.context().newPage();
    await second.goto(path);
    await second.getByText('the roof', { exact: true }).waitFor();
    await page.reload();
    await reply.getByText('the roof', { exact: true }).waitFor();
    secondPart.resolve();
    for (const tab of [page, second]) await tab.getByText('Then the walls.').waitFor();

    // Others watch, but only who asked and admins can stop it.
    const theirs = await stage.open({ person: ravi });
    await theirs.page.goto(path);
    await theirs.page.getByText('Then the walls.').waitFor();
    expect(await theirs.page.getByRole('button', { name: 'Stop ada' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Stop ada' }).waitFor();
    await expectAccessible(page, 'a reply that is being written');
    await page.getByRole('button', { name: 'Stop the answer' }).waitFor();
    expect(await theirs.page.getByRole('button', { name: /^Stop/ }).count()).toBe(0);

    await composerOf(page).fill('typing');
    await composerOf(page).press('Escape');
    await composerOf(page).fill('');
    expect(await reply.count()).toBe(1);
    await composerOf(page).press('Escape');
    for (const tab of [page, second, theirs.page]) {
      await tab.getByText('Stopped before it was finished').first().waitFor();
      expect(await tab.getByText('the roof', { exact: true }).count()).toBe(1);
    }
    expect((await list())[0]).toMatchObject({
      status: 'STOPPED',
      body: text.slice(0, 60).trim(),
    });

    // Even if the reply is fetched before its question, it is shown once.
    const [stopped, question] = await list();
    const isFetched = (message?: Message) =>
      page.waitForResponse(
        (response) =>
          response.url().endsWith(`/messages/${message?.id}`) &&
          response.request().method() === 'GET',
      );
    const pendingFetched = isFetched(question);
    await page.getByRole('button', { name: 'Try again' }).click();
    await (await pendingFetched).finished();
    const questionFetched = Promise.withResolvers<void>();
    await page.route(`**/messages/${question?.id}`, async (route) => {
      await questionFetched.promise;
      await route.continue();
    });
    const replyFetched = isFetched(stopped);
    secondAnswer.resolve();
    await (await replyFetched).finished();
    await page.getByText('All of it.').first().waitFor();
    await page.evaluate(
      () => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))),
    );
    expect(await page.getByText('All of it.').count()).toBe(1);
    questionFetched.resolve();
    await reply.waitFor({ state: 'detached' });
    await page.getByText('All of it.').waitFor();
    expect((await list()).map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
  });

  it('moves nothing under the reader, who has scrolled up, while it writes and when it is done', async () => {
    const { page } = await openRoom('Steady');
    const text = Array.from({ length: 60 }, (_, at) => `Line ${at}.`.padEnd(28)).join('\n\n');
    const paces = [0, 1].map(() => Promise.withResolvers<void>());
    model.answerWith([{ text, chunks: 3, pace: async (event) => paces[event - 3]?.promise }]);
    await say(page, '@ada a long one');
    await page.getByText('Line 38.').waitFor();
    await page.getByRole('feed').hover();
    await page.mouse.wheel(0, -400);
    const top = () =>
      page.getByText('Line 20.').evaluate((line) => line.getBoundingClientRect().top);
    await page.getByRole('button', { name: 'Jump to newest' }).waitFor();
    const before = await top();
    paces[0]?.resolve();
    await page.getByText('Line 59.').waitFor();
    expect(Math.abs((await top()) - before)).toBeLessThan(1);
    paces[1]?.resolve();
    await page.getByRole('article', { name: /^ada, / }).waitFor();
    await page.getByText(/tokens read/).waitFor();
    expect(Math.abs((await top()) - before)).toBeLessThan(1);
  });

  it('that answers with scripts and links is shown as text', async () => {
    const { page } = await openRoom('Hostile model');
    model.answerWith(['<img src=x onerror="window.hit=1"> [see](javascript:window.hit=1) done']);
    await say(page, '@ada hello');
    await page.getByRole('article').filter({ hasText: 'done' }).waitFor();
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(await page.locator('[role=feed] a[href^=javascript]').count()).toBe(0);
  });
});
