import type { Message } from '@atrium/sdk';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
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

async function say(page: Page, text: string): Promise<void> {
  await composerOf(page).fill(text);
  await composerOf(page).press('Escape');
  await composerOf(page).press('Enter');
}

/** Uses the message's menu, with the mouse. */
async function choose(page: Page, text: string, action: string): Promise<void> {
  // It has no menu while it is being sent.
  const row = page.locator('article[data-message]').filter({ hasText: text }).first();
  await row.hover();
  await row.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('a message', () => {
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
    const { items } = await stage.atrium.client.messages.list(slug, id);
    expect(items.map(({ authorKind, status }) => [authorKind, status])).toEqual([
      ['AGENT', 'COMPLETED'],
      ['USER', 'COMPLETED'],
    ]);
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
