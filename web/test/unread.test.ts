import { describe, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { clientOf } from './harness/example-team.ts';
import { createRoom, uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

async function openRoom(name: string) {
  const room = await createRoom(stage.atrium.client, name);
  const ravi = await stage.atrium.addPerson(uniqueEmail('ravi'));
  const theirs = clientOf(stage.atrium, ravi);
  const { page } = await stage.open({ person: ravi });
  const post = (body: string, parentMessageId?: string) =>
    stage.atrium.client.messages.post(room.slug, room.id, {
      body,
      ...(parentMessageId && { parentMessageId }),
    });
  const unreadCount = async () => (await theirs.sessions.get(room.slug, room.id)).unreadCount;
  const unread = page.getByRole('region', { name: 'Unread' });
  return { ...room, page, theirs, post, unreadCount, unread };
}

const LONG = Array.from({ length: 12 }, (_, at) => `Line ${at}`).join('\n\n');

describe('unread messages', () => {
  it('are listed first, asked for in one request, and all marked as read by keyboard', async () => {
    const { page, post, theirs, unreadCount, unread } = await openRoom('First');
    for (const name of ['Second', 'Third']) await createRoom(stage.atrium.client, name);
    await page.goto('/threads');
    await page.getByText('No threads yet').waitFor();
    await post('News');
    await unread.getByRole('link', { name: /^Chat/ }).waitFor();
    await expectAccessible(page, 'unread sessions');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/sessions')) asked.push(new URL(request.url()).pathname);
    });
    await page.reload();
    await unread.waitFor();
    expect(new Set(asked)).toEqual(new Set(['/api/sessions']));
    await unread.getByRole('button', { name: 'Mark all as read' }).focus();
    await page.keyboard.press('Enter');
    await unread.waitFor({ state: 'detached' });
    expect(await unreadCount()).toBe(0);
    expect((await theirs.sessions.listAll()).unreadTotal).toBe(0);
  });

  it('open at the first of them, and count as read while they are seen, in every window', async () => {
    const { page, path, post, unreadCount, unread } = await openRoom('Start');
    const second = await page.context().newPage();
    await second.goto('/');
    await post('Where it begins');
    for (let at = 0; at < 6; at++) await post(`${LONG} of ${at}`);
    await post('The end');
    await second.getByRole('region', { name: 'Unread' }).waitFor();
    await page.goto(path);
    const first = page.getByText('Where it begins', { exact: true });
    await first.waitFor();
    await page.getByRole('button', { name: 'Jump to newest' }).waitFor();
    expect((await first.boundingBox())?.y).toBeGreaterThan(0);
    expect(await unreadCount()).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await page.getByText('The end', { exact: true }).waitFor();
    await expect.poll(unreadCount).toBe(0);
    await second.getByRole('region', { name: 'Unread' }).waitFor({ state: 'detached' });
    await post('Seen with the session open');
    await page.getByText('Seen with the session open', { exact: true }).waitFor();
    await expect.poll(unreadCount).toBe(0);
    await unread.waitFor({ state: 'detached' });
  });

  it('disappear once an answer in the open session has been seen', async () => {
    const { page, path, theirs, slug, id, unreadCount } = await openRoom('Answer');
    await page.goto(path);
    await composerOf(page).fill('@recall what do we know?');
    await composerOf(page).press('Enter');
    await page.getByRole('article').nth(1).waitFor();
    await expect.poll(async () => (await theirs.messages.list(slug, id)).items.length).toBe(2);
    await expect.poll(unreadCount).toBe(0);
    await expect.poll(() => page.getByText(/1 unread/).count()).toBe(0);
  });

  it('are read also if the reader writes right after them', async () => {
    const { page, path, post, theirs, slug, id, unreadCount } = await openRoom('Both');
    await page.goto(path);
    await post('Start');
    await page.getByText('Start', { exact: true }).waitFor();
    await expect.poll(unreadCount).toBe(0);
    await post('Theirs');
    await theirs.messages.post(slug, id, { body: 'Mine' });
    await page.getByText('Mine', { exact: true }).waitFor();
    await expect.poll(unreadCount).toBe(0);
  });

  it('are only those since somebody joined', async () => {
    const room = await createRoom(stage.atrium.client, 'Joined');
    const post = (body: string) => stage.atrium.client.messages.post(room.slug, room.id, { body });
    await post('Before');
    const person = await stage.atrium.addPerson(uniqueEmail('late'));
    const { page } = await stage.open({ person });
    await page.goto('/');
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Joined/ })
      .waitFor();
    expect(await page.getByText(/ unread/).count()).toBe(0);
    await post('After');
    await page
      .getByRole('region', { name: 'Unread' })
      .getByText(/1 unread/)
      .waitFor({ state: 'attached' });
  });

  it('can be marked as unread again by keyboard, until the session is opened again', async () => {
    const { page, path, post, unreadCount, unread } = await openRoom('Again');
    await page.goto(path);
    await composerOf(page).waitFor();
    await post('Later');
    const message = page.getByRole('article').filter({ hasText: 'Later' });
    await message.waitFor();
    await expect.poll(unreadCount).toBe(0);
    await message.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Mark as unread' }).focus();
    await page.keyboard.press('Enter');
    await unread.getByText(/1 unread/).waitFor({ state: 'attached' });
    expect(await unreadCount()).toBe(1);
    await page.getByRole('link', { name: 'Threads' }).click();
    await page.getByRole('heading', { level: 1, name: 'Threads' }).waitFor();
    await unread.getByRole('link', { name: /^Chat/ }).click();
    await expect.poll(unreadCount).toBe(0);
  });
});

it('replies stay unread until their thread is opened, from the Threads page', async () => {
  const { page, path, slug, id, theirs, post, unreadCount, unread } = await openRoom('Replies');
  const question = await theirs.messages.post(slug, id, { body: 'What do you think?' });
  await post('Seen with the session');
  await post('I like it', question.id);
  await page.goto(path);
  await page.getByText('Seen with the session', { exact: true }).waitFor();
  await expect.poll(unreadCount).toBe(1);
  await page.goto('/threads');
  await page
    .getByRole('main')
    .getByText(/1 unread/)
    .waitFor({ state: 'attached' });
  await expectAccessible(page, 'threads');
  await page.getByRole('main').getByRole('link', { name: 'What do you think?' }).click();
  await page.getByRole('region', { name: 'Thread' }).getByText('I like it').waitFor();
  await expect.poll(unreadCount).toBe(0);
  await unread.waitFor({ state: 'detached' });
});
