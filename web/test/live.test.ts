import { describe, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { clientOf } from './harness/example-team.ts';
import { createRoom, unique, uniqueEmail } from './harness/room.ts';
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

describe('a private session', () => {
  it('is there for its participants only, and gone at once for one who is taken out', async () => {
    const { name, slug } = await stage.atrium.client.projects.create({ name: unique('Talks') });
    const [grace, ravi] = [
      await stage.atrium.addPerson(uniqueEmail('grace')),
      await stage.atrium.addPerson(uniqueEmail('ravi'), 'ADMIN'),
    ];
    const theirs = await stage.open({ person: grace });
    await theirs.page.goto('/');
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}`);
    await page.getByRole('button', { name: `Start session in ${name}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Salaries');
    await dialog.getByRole('radio', { name: 'Private' }).check();
    await dialog.getByRole('checkbox', { name: new RegExp(grace.email) }).check();
    await expectAccessible(page, 'the new session dialog');
    await dialog.getByRole('button', { name: 'Start session' }).click();
    await composerOf(page).waitFor();
    await page.locator('header').getByRole('img', { name: 'Private:' }).waitFor();
    const path = new URL(page.url()).pathname;

    await theirs.page
      .getByRole('link', { name: /Private:\s*Salaries/ })
      .first()
      .click();
    await composerOf(theirs.page).fill('Just us');
    await composerOf(theirs.page).press('Enter');
    await page.getByText('Just us', { exact: true }).waitFor();
    const others = await stage.open({ person: ravi });
    await others.page.goto(path);
    await others.page.getByRole('heading', { name: 'Session not found' }).waitFor();
    expect(await others.page.getByRole('link', { name: /Salaries/ }).count()).toBe(0);

    await page.getByRole('button', { name: '2 participants' }).click();
    await dialog.getByRole('checkbox', { name: new RegExp(grace.email) }).uncheck();
    await expectAccessible(page, 'the participants dialog');
    await dialog.getByRole('button', { name: 'Save participants' }).click();
    await theirs.page.getByRole('heading', { name: 'Session not found' }).waitFor();
    expect(await theirs.page.getByText('Just us').count()).toBe(0);
    await page.getByRole('button', { name: '1 participant' }).waitFor();
  });
});
