import { describe, expect, it } from 'vitest';
import { composerOf } from './harness/browser.ts';
import { clientOf } from './harness/example-team.ts';
import { createRoom, uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

describe('two people in one session', () => {
  it('see each other’s messages, edits, reactions and threads live, in every tab', async () => {
    const { path, slug, id: sessionId } = await createRoom(stage.atrium.client, 'Live');
    const grace = await stage.atrium.addPerson(uniqueEmail('grace'));
    const ours = await stage.openAsOwner();
    const theirs = await stage.open({ person: grace });
    const secondTab = await ours.context.newPage();
    const pages = [ours.page, theirs.page, secondTab];
    for (const page of pages) {
      await page.goto(path);
      await composerOf(page).waitFor();
    }

    const say = async (page: (typeof pages)[number], text: string) => {
      const composer = composerOf(page);
      await composer.fill(text);
      await composer.press('Enter');
    };
    await say(ours.page, 'Hello from Ada');
    for (const page of pages) await page.getByText('Hello from Ada', { exact: true }).waitFor();
    await say(theirs.page, 'Hello from Grace');
    for (const page of pages) {
      await page.getByText('Hello from Grace', { exact: true }).waitFor();
      expect(await page.getByText('Hello from Ada', { exact: true }).count()).toBe(1);
    }

    const { items } = await stage.atrium.client.messages.list(slug, sessionId);
    const first = items.find(({ body }) => body === 'Hello from Ada');
    await stage.atrium.client.messages.edit(slug, first?.id ?? '', { body: 'Hello again' });
    for (const page of pages) await page.getByText('Hello again', { exact: true }).waitFor();
    await stage.atrium.client.messages.react(slug, first?.id ?? '', { emoji: '🎉' });
    for (const page of pages) await page.getByRole('button', { name: /reacted with/ }).waitFor();
  });

  it('see an unread mark appear live and disappear once the message is read', async () => {
    const { path, slug, id: sessionId } = await createRoom(stage.atrium.client, 'Marks');
    const ravi = await stage.atrium.addPerson(uniqueEmail('ravi'));
    const { page } = await stage.open({ person: ravi });
    await page.goto('/');
    await page
      .getByRole('link', { name: /^Marks/ })
      .first()
      .waitFor();
    const mark = page.getByRole('navigation').getByText(/1 unread/);
    expect(await mark.count()).toBe(0);
    await stage.atrium.client.messages.post(slug, sessionId, { body: 'News for Ravi' });
    await mark.first().waitFor({ state: 'attached' });
    await page.goto(path);
    await page.getByText('News for Ravi', { exact: true }).waitFor();
    await expect
      .poll(
        async () => (await clientOf(stage.atrium, ravi).sessions.get(slug, sessionId)).unreadCount,
      )
      .toBe(0);
    await mark.first().waitFor({ state: 'detached' });
  });
});
