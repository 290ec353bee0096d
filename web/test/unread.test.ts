import type { Page } from 'playwright-core';
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
    const { page, path, post, theirs, unreadCount, unread } = await openRoom('First');
    for (const name of ['Second', 'Third']) await createRoom(stage.atrium.client, name);
    await page.goto('/threads');
    await page.getByText('No threads yet').waitFor();
    await post('News');
    await unread.getByRole('link', { name: /^Chat/ }).waitFor();
    // Not in its project too.
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    expect(await sidebar.locator(`a[href="${path}"]`).count()).toBe(1);
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
    // Right away, while the list still holds the place where it was opened.
    await post('One more');
    await page.getByText('One more', { exact: true }).waitFor();
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
  const badge = page.getByRole('link', { name: /^Threads/ }).getByText(/1 unread/);
  await badge.waitFor({ state: 'attached' });
  await page.goto('/threads');
  await page
    .getByRole('main')
    .getByText(/1 unread/)
    .waitFor({ state: 'attached' });
  await expectAccessible(page, 'threads');
  await page.getByRole('main').getByRole('link', { name: 'What do you think?' }).click();
  await page.getByRole('region', { name: 'Thread' }).getByText('I like it').waitFor();
  await expect.poll(unreadCount).toBe(0);
  await badge.waitFor({ state: 'detached' });
  await unread.waitFor({ state: 'detached' });
});

const ABOUT_TALK = /^\/api\/(sessions|spaces|messages|threads|notifications)/;

/** What a page asks about sessions and messages from now on. Other things are loaded ahead. */
function watchRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (ABOUT_TALK.test(pathname)) asked.push(`${request.method()} ${pathname}`);
  });
  return asked;
}

describe('an incoming message', () => {
  it('costs those who see it one read and one write, in a thread too, and others nothing', async () => {
    const { page, path, slug, id, post, unreadCount } = await openRoom('Cheap');
    const parent = await post('Start');
    await page.goto(`${path}?thread=${parent.id}`);
    await page.getByRole('region', { name: 'Thread' }).getByRole('textbox').waitFor();
    await expect.poll(unreadCount).toBe(0);
    const home = await page.context().newPage();
    await home.goto('/');
    const badge = home.getByRole('region', { name: 'Unread' });
    await home.getByRole('heading', { name: /^Cheap/ }).waitFor();
    await page.waitForLoadState('networkidle');
    const [seen, elsewhere] = [watchRequests(page), watchRequests(home)];

    await post('News');
    await page.getByText('News', { exact: true }).waitFor();
    await expect.poll(unreadCount).toBe(0);
    await badge.waitFor({ state: 'detached' });
    const list = `GET /api/spaces/${slug}/sessions/${id}/messages`;
    const mark = `PUT /api/spaces/${slug}/sessions/${id}/read`;
    expect(seen).toEqual([list, mark]);
    expect(elsewhere).toEqual([]);

    seen.length = 0;
    await post('A reply', parent.id);
    await page.getByText('A reply', { exact: true }).waitFor();
    await expect.poll(unreadCount).toBe(0);
    expect(seen.filter((request) => request.startsWith('GET'))).toEqual([list]);
  });
});

describe('following', () => {
  it('decides what the sidebar lists, which always has the open session, also in a folded project', async () => {
    const { page, slug, theirs } = await openRoom('Follow');
    const { client } = stage.atrium;
    const other = await client.sessions.create(slug, { name: 'Side talk' });
    const path = `/p/${slug}/s/${other.id}`;
    await page.goto(`/p/${slug}`);
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    await sidebar.getByRole('link', { name: /^Chat/ }).first().waitFor();
    const link = sidebar.getByRole('link', { name: 'Side talk' });
    expect(await link.count()).toBe(0);
    await expectAccessible(page, 'sessions to follow');

    await page.getByRole('link', { name: 'Side talk' }).click();
    await page.waitForURL(path);
    await link.waitFor();
    await sidebar.getByRole('button', { name: /^Sessions in Follow/ }).click();
    await expect.poll(() => link.count()).toBe(1);
    await sidebar.getByRole('button', { name: /^Sessions in Follow/ }).click();
    await client.messages.post(slug, other.id, { body: 'For those who follow' });
    await page.getByText('For those who follow', { exact: true }).waitFor();
    expect((await theirs.sessions.get(slug, other.id)).isFollowed).toBe(false);

    await page.getByRole('button', { name: 'Follow', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('You follow this session').waitFor();
    await page.goto(`/p/${slug}`);
    await link.waitFor();
    await client.messages.post(slug, other.id, { body: 'News' });
    await page
      .getByRole('region', { name: 'Unread' })
      .getByRole('link', { name: /Side talk/ })
      .waitFor();
    await page.getByRole('button', { name: 'Leave Side talk' }).click();
    await expect.poll(() => link.count()).toBe(0);
    expect(await theirs.sessions.get(slug, other.id)).toMatchObject({
      isFollowed: false,
      unreadCount: 0,
    });
  });

  it('can be for everyone in the project, as whoever made the session chooses', async () => {
    const { client } = stage.atrium;
    const { slug } = await createRoom(client, 'Announce');
    const { id } = await client.sessions.create(slug, { name: 'Town hall' });
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}/s/${id}`);
    await page.getByRole('button', { name: 'Session actions' }).click();
    await page.getByRole('menuitem', { name: 'Make it for everyone' }).click();
    await page.getByText('Everyone in the project follows it now').waitFor();
    expect((await client.sessions.get(slug, id)).isForEveryone).toBe(true);
  });
});

describe('direct messages', () => {
  it('are opened with Ctrl+K and a name, reach the other person, and are answered from a card', async () => {
    const ravi = await stage.atrium.addPerson(uniqueEmail('ravi'));
    const grace = await stage.atrium.addPerson(uniqueEmail('grace'));
    await clientOf(stage.atrium, ravi).identity.update({ name: 'Ravi Direct' });
    await clientOf(stage.atrium, grace).identity.update({ name: 'Grace Direct' });
    const { page } = await stage.openAsOwner();
    const { page: theirs } = await stage.open({ person: ravi });
    await theirs.goto('/inbox');
    const ofRavi = theirs.getByRole('region', { name: 'Direct messages' });
    await ofRavi.waitFor();

    // One person, by keyboard alone.
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor();
    await page.keyboard.type('ravi direct');
    await page.getByRole('option', { name: /^Ravi Direct/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ravi Direct' }).waitFor();
    expect(await ofRavi.getByRole('link').count()).toBe(0);
    await page.keyboard.type('Lunch?');
    await page.keyboard.press('Enter');
    await page.getByText('Lunch?', { exact: true }).waitFor();
    const { pathname } = new URL(page.url());
    expect(pathname).toMatch(/^\/p\/direct\/s\//);

    // The other one is told, and finds it next to the projects.
    const { name } = await stage.atrium.client.identity.me();
    await theirs.getByRole('link', { name: `${name} sent you a message` }).waitFor();
    await expectAccessible(theirs, 'the inbox with a direct message');
    const row = ofRavi.getByRole('link', { name: new RegExp(`${name}.*1`) });
    await row.click();
    await theirs.getByText('Lunch?', { exact: true }).waitFor();
    await ofRavi.getByRole('link', { name: new RegExp(`${name}$`) }).waitFor();
    await expectAccessible(theirs, 'a direct conversation');

    // A card leads to the same one.
    await theirs.getByRole('article').getByRole('button', { name }).first().click();
    await theirs.getByRole('dialog').getByRole('button', { name: 'Message' }).click();
    await composerOf(theirs).fill('At one');
    await composerOf(theirs).press('Enter');
    await page.getByText('At one', { exact: true }).waitFor();
    expect(new URL(theirs.url()).pathname).toBe(pathname);

    // With one more, it is another conversation.
    await page.getByRole('button', { name: '2 participants' }).click();
    await page.getByRole('button', { name: 'Start one with more people' }).click();
    const dialog = page.getByRole('dialog', { name: 'New direct message' });
    await dialog.getByRole('checkbox', { name: /Grace Direct/ }).check();
    await expectAccessible(page, 'choosing people for a conversation');
    await dialog.getByRole('button', { name: 'Open conversation' }).click();
    await page.getByRole('heading', { level: 1, name: /Ravi Direct, Grace Direct/ }).waitFor();
    expect(new URL(page.url()).pathname).not.toBe(pathname);
    await page.getByText('No messages yet').waitFor();
  });
});
