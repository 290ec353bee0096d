import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { clientOf, handleOf } from './harness/example-team.ts';
import { createRoom, uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

/** Somebody else, in a session of the owner's, with their handle. */
async function meet(name: string) {
  const person = await stage.atrium.addPerson(uniqueEmail(name));
  const room = await createRoom(stage.atrium.client, 'Inbox');
  const handle = await handleOf(stage.atrium, person);
  const say = (body: string) => stage.atrium.client.messages.post(room.slug, room.id, { body });
  return { person, room, handle, say };
}

const inboxLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Inbox/ });
const entries = (page: Page) =>
  page.getByRole('list', { name: 'Notifications' }).getByRole('listitem');

describe('somebody who is mentioned', () => {
  it('sees it in the badge, the title and the inbox at once, and opening it reads it', async () => {
    const { person, room, handle } = await meet('grace');
    const theirs = await stage.open({ person });
    await theirs.page.goto('/inbox');
    await theirs.page.getByText('Nothing yet').waitFor();
    await theirs.page.getByText(`@${handle}`).waitFor();

    const ours = await stage.openAsOwner();
    await ours.page.goto(room.path);
    await composerOf(ours.page).pressSequentially(`@${handle.slice(0, 8)}`);
    await ours.page.getByRole('option', { name: new RegExp(`@${handle}`) }).waitFor();
    await ours.page.keyboard.press('Enter');
    await ours.page.keyboard.type('can you **check** the list?');
    await ours.page.keyboard.press('Enter');

    await inboxLink(theirs.page).getByText('1 unread').waitFor();
    await expect.poll(() => theirs.page.title()).toMatch(/^@1 \(1\) Inbox/);
    const entry = entries(theirs.page).first();
    await entry.getByRole('link', { name: /^Unread: .* mentioned you$/ }).waitFor();
    expect(await entry.textContent()).toContain('can you check the list?');
    await entry.getByRole('link').click();
    await theirs.page.waitForURL(/\?m=/);
    await theirs.page.getByRole('article').getByText('can you check the list?').waitFor();
    await inboxLink(theirs.page).getByText('1 unread').waitFor({ state: 'detached' });
    await expect.poll(() => theirs.page.title()).toMatch(/^Chat/);
  });

  it('reads it by reading the session, in whichever window', async () => {
    const { person, room, handle, say } = await meet('ravi');
    const { page, context } = await stage.open({ person });
    await page.goto('/inbox');
    await say(`@${handle} hello`);
    await inboxLink(page).getByText('1 unread').waitFor();
    const second = await context.newPage();
    await second.goto(room.path);
    await second.getByText('hello').waitFor();
    await second.bringToFront();
    await inboxLink(page).getByText('1 unread').waitFor({ state: 'detached' });
    await entries(page)
      .getByText(/^Unread/)
      .waitFor({ state: 'detached' });
  });

  it('is told about a reply in their thread, and opening it opens the thread', async () => {
    const { person, room } = await meet('tess');
    const theirs = clientOf(stage.atrium, person).messages;
    const { id } = await theirs.post(room.slug, room.id, { body: 'Who has the keys?' });
    const reply = { body: 'I have them', parentMessageId: id };
    await stage.atrium.client.messages.post(room.slug, room.id, reply);
    const { page } = await stage.open({ person });
    await page.goto('/inbox');
    await page.getByRole('link', { name: /^Unread: .* replied in your thread$/ }).click();
    await page.getByRole('region', { name: 'Thread' }).getByText('I have them').waitFor();
    await inboxLink(page).getByText('1 unread').waitFor({ state: 'detached' });
    await page.goto('/inbox');
    await page.getByRole('link', { name: / replied in your thread$/ }).waitFor();
    await entries(page)
      .getByText(/^Unread/)
      .waitFor({ state: 'detached' });
  });

  it('gets an email about what is unread after 15 minutes, with a link to it', async () => {
    const { person, room, handle, say } = await meet('maya');
    const mails = await stage.atrium.mailCount(person.email);
    const { id } = await say(`@${handle} the board call is at four`);
    const theirs = clientOf(stage.atrium, person).notifications;
    await expect.poll(async () => (await theirs.list()).items.length).toBe(1);
    await stage.atrium.ageNotifications(16);
    const { page } = await stage.open({ person });
    await page.goto(await stage.atrium.linkMailedTo(person.email, mails));
    await page.getByRole('article').getByText('the board call is at four').waitFor();
    expect(new URL(page.url()).pathname).toBe(room.path);
    expect(new URL(page.url()).searchParams.get('m')).toBe(id);
  });
});

describe('the inbox', () => {
  it('is used by keyboard alone: j, k, e and Enter, and g i goes there', async () => {
    const { person, handle, say } = await meet('noor');
    for (const nth of [1, 2, 3]) await say(`@${handle} number ${nth}`);
    const { page } = await stage.open({ person });
    await page.goto('/memory');
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await expect.poll(() => entries(page).count()).toBe(3);
    const focused = () =>
      page.evaluate<string>('document.activeElement.closest("li")?.textContent ?? ""');
    await page.keyboard.press('j');
    expect(await focused()).toContain('number 3');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused()).toContain('number 1');
    await page.keyboard.press('k');
    expect(await focused()).toContain('number 2');
    await page.keyboard.press('e');
    await inboxLink(page).getByText('2 unread').waitFor();
    const client = clientOf(stage.atrium, person);
    const { items } = await client.notifications.list();
    expect(items.map(({ readAt }) => readAt === null)).toEqual([true, false, true]);
    expect(await focused()).toContain('number 1');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?m=/);
    await page.getByRole('article').getByText('number 1').waitFor();
  });

  it('lists what is unread, and marks everything as read', async () => {
    const { person, handle, say } = await meet('ines');
    await say(`@${handle} first`);
    await say(`@${handle} second`);
    const { page } = await stage.open({ person });
    await page.goto('/inbox');
    await expect.poll(() => entries(page).count()).toBe(2);
    await page.getByRole('main').getByText('Unread', { exact: true }).click();
    await entries(page).filter({ hasText: 'second' }).getByRole('link').focus();
    await page.keyboard.press('e');
    await expect.poll(() => entries(page).count()).toBe(1);
    expect(
      await page.evaluate<string>('document.activeElement.closest("li")?.textContent'),
    ).toContain('first');
    await page.getByRole('main').getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('Nothing unread').waitFor();
    await expectAccessible(page, 'the inbox without anything unread');
    await page.getByText('All', { exact: true }).click();
    await expect.poll(() => entries(page).count()).toBe(2);
  });
});
