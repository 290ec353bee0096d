import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { clientOf, handleOf } from './harness/example-team.ts';
import { chooseDay, fieldOf } from './harness/fields.ts';
import { createRoom, unique, uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

describe('the profile', () => {
  it('changes the handle, and says what is wrong with one that can’t be had', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('lena'));
    const other = await handleOf(stage.atrium, await stage.atrium.owner());
    const { page } = await stage.open({ person });
    await page.goto('/settings/profile');
    const field = page.getByLabel('Your handle');
    const attempt = async (handle: string, words: string | RegExp) => {
      await field.fill(handle);
      await field.press('Enter');
      await page.getByText(words).first().waitFor();
    };
    await attempt('model', /"model" is taken/);
    await attempt('recall', /"recall" is taken/);
    await attempt(other, `"${other}" is taken`);
    await attempt('\u0430da', /“\u0430” can’t be in a handle, even if it looks like/);
    await attempt('x'.repeat(40), 'A handle has at most 32 characters.');
    await expectAccessible(page, 'the profile with a handle that is refused');
    const handle = unique('lena').replace(' ', '.');
    await attempt(`@${handle.toUpperCase()}`, `Handle saved: @${handle}`);
    expect(await handleOf(stage.atrium, person)).toBe(handle);
    expect(await field.inputValue()).toBe(handle);
  });

  it('chooses what is emailed', async () => {
    const person = await stage.atrium.addPerson(uniqueEmail('lena'));
    const { page } = await stage.open({ person });
    await page.goto('/settings/profile');
    const choice = page.getByRole('group', { name: 'Email me about' });
    await expect.poll(() => choice.getByLabel('Mentions').isChecked()).toBe(true);
    await choice.getByText('Nothing').click();
    await page.getByText('Email choice saved').waitFor();
    const { emailNotifications } = await clientOf(stage.atrium, person).identity.me();
    expect(emailNotifications).toBe('NONE');
    await page.reload();
    await expect.poll(() => choice.getByLabel('Nothing').isChecked()).toBe(true);
  });
});

describe('what a session notifies about', () => {
  it('is chosen in its menu, marked in the sidebar, and with Nothing mentions wait in the inbox', async () => {
    const { client } = stage.atrium;
    const person = await stage.atrium.addPerson(uniqueEmail('olga'));
    const handle = await handleOf(stage.atrium, person);
    const { path, slug, id } = await createRoom(client, 'Loud');
    const { page } = await stage.open({ person });
    await page.goto(path);
    await composerOf(page).waitFor();
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    const choose = async (level: string) => {
      await page.getByRole('button', { name: 'Session actions' }).click();
      await page.getByRole('menuitemradio', { name: level }).click();
    };
    await choose('Mentions only');
    await sidebar.getByRole('img', { name: 'Mentions only' }).waitFor();
    await choose('Nothing');
    await sidebar.getByRole('img', { name: 'Muted' }).waitFor();
    await page.goto('/inbox');
    await client.messages.post(slug, id, { body: `@${handle} psst` });
    await page.getByRole('link', { name: /mentioned you/ }).waitFor();
    expect(await sidebar.getByText('Chat').count()).toBe(1);
    expect(await sidebar.getByRole('region', { name: 'Unread' }).count()).toBe(0);
    await page.goto(path);
    await choose('Everything');
    await expect.poll(() => sidebar.getByRole('img', { name: 'Muted' }).count()).toBe(0);
  });
});

describe('what a person keeps', () => {
  it('is pinned for everyone, saved, remembered later and sent later', async () => {
    const { client } = stage.atrium;
    const person = await stage.atrium.addPerson(uniqueEmail('kim'));
    const own = clientOf(stage.atrium, person);
    const { path, slug, id } = await createRoom(client, 'Kept');
    const posted = await client.messages.post(slug, id, {
      body: 'The door code changes on Friday.',
    });
    const { page } = await stage.open({ person });
    await page.goto(path);
    const row = page.locator('article[data-message]').filter({ hasText: 'door code' });
    const choose = async (item: string) => {
      await row.hover();
      await row.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Pin to session');
    await row.getByText('Pinned by').waitFor();
    await choose('Save for later');
    await page.getByText('Saved. You find it under Later.').waitFor();
    await choose('Remind me…');
    await expectAccessible(page, 'choosing when to be reminded');
    await page.getByRole('dialog').getByRole('button', { name: 'In 20 minutes' }).click();
    await page.getByText('Reminder set for').waitFor();
    const [reminder] = (await own.reminders.list()).items;
    const inMinutes = (Date.parse(reminder?.at ?? '') - Date.now()) / 60_000;
    expect(inMinutes).toBeGreaterThan(15);
    expect(inMinutes).toBeLessThan(20.1);

    await page.getByRole('button', { name: 'Pinned messages' }).click();
    const pins = page.getByRole('dialog', { name: 'Pinned messages' });
    await pins.getByRole('link', { name: 'The door code changes on Friday.' }).waitFor();
    await expectAccessible(page, 'the pinned messages');
    await client.messages.unpin(slug, posted.id);
    await pins.getByText('Nothing pinned yet').waitFor();
    await pins.getByRole('button', { name: 'Close', exact: true }).last().click();

    await composerOf(page).fill('Good morning, everybody');
    await page.getByRole('button', { name: 'Send later' }).click();
    await chooseDay(fieldOf(page, 'Day'), 'today');
    await fieldOf(page, 'Time').click();
    // Midnight, however the browser writes it.
    await page.locator('[data-picker]').getByRole('option').first().click();
    await page.getByText('Choose a time in the future.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Tomorrow at 9' }).click();
    await page.getByText('Scheduled for').waitFor();
    expect(await composerOf(page).inputValue()).toBe('');
    const [scheduled] = (await own.messages.listScheduled()).items;
    expect(new Date(scheduled?.sendAt ?? '').getMinutes()).toBe(0);

    const sidebar = page.getByRole('navigation', { name: 'Main' });
    await sidebar.getByRole('link', { name: 'Later' }).click();
    const saved = page.getByRole('list', { name: 'Saved messages' });
    await saved.getByText('The door code changes on Friday.').waitFor();
    await expectAccessible(page, 'the saved messages');
    await saved.getByRole('button', { name: 'Remove from saved' }).click();
    await page.getByText('Nothing saved yet').waitFor();

    await page.getByText('Scheduled', { exact: true }).click();
    const list = page.getByRole('list', { name: 'Scheduled messages' });
    await list.getByRole('button', { name: 'Edit text' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Message', { exact: true }).fill('Good morning');
    await dialog.getByRole('button', { name: 'Save message' }).click();
    await list.getByText('Good morning', { exact: true }).waitFor();
    await expectAccessible(page, 'the scheduled messages');
    await list.getByRole('button', { name: 'Cancel message' }).click();
    await dialog.getByRole('button', { name: 'Cancel message' }).click();
    await page.getByText('Nothing scheduled').waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('remind');
    await page.getByRole('option', { name: /Reminders/ }).click();
    const reminders = page.getByRole('list', { name: 'Reminders' });
    await reminders.getByRole('link', { name: 'The door code changes on Friday.' }).waitFor();
    await reminders.getByRole('button', { name: 'Cancel reminder' }).click();
    await page.getByRole('button', { name: 'New reminder' }).click();
    await dialog.getByLabel('What to remind you of').fill('Water the plants');
    await dialog.getByRole('button', { name: 'In 1 hour' }).click();
    await reminders.getByText('Water the plants').waitFor();
    await expectAccessible(page, 'the reminders');
    // Soon, so that it arrives while the page is open.
    const [plants] = (await own.reminders.list()).items;
    const at = new Date(Date.now() + 1_500).toISOString();
    await own.reminders.update(plants?.id ?? '', { at });
    await page.getByText('No reminders').waitFor();
    await page.goto('/inbox');
    await page.getByRole('link', { name: 'You asked to be reminded' }).waitFor();
    await page.getByText('Water the plants').waitFor();
  });
});

/** Stands in for the system's notifications, which a browser without a screen doesn't have. */
const FAKE = `
  const isPage = location.protocol !== 'about:';
  window.shown = [];
  window.asked = 0;
  window.isAway = false;
  Object.defineProperty(document, 'visibilityState', {
    get: () => (window.isAway ? 'hidden' : 'visible'),
  });
  window.Notification = class extends EventTarget {
    static permission = isPage ? (localStorage.getItem('permission') ?? 'default') : 'default';
    static async requestPermission() {
      window.asked++;
      localStorage.setItem('permission', 'granted');
      return (this.permission = 'granted');
    }
    constructor(title, { body }) {
      super();
      window.shown.push({ title, body, click: () => this.dispatchEvent(new Event('click')) });
    }
    close() {}
  };
`;

const leave = (page: Page, isAway: boolean) =>
  page.evaluate(`isAway = ${isAway}; document.dispatchEvent(new Event('visibilitychange'))`);

describe('the browser’s notifications', () => {
  it('are offered once something arrived, and shown only while Atrium is in the background', async () => {
    const { client } = stage.atrium;
    const person = await stage.atrium.addPerson(uniqueEmail('pia'));
    const handle = await handleOf(stage.atrium, person);
    const { path, slug, id } = await createRoom(client, 'Away');
    const say = (body: string) => client.messages.post(slug, id, { body: `@${handle} ${body}` });
    const { page, context } = await stage.open({ person });
    await context.addInitScript(FAKE);
    await page.goto('/inbox');
    await page.getByText('Nothing yet').waitFor();
    const offer = page.getByRole('button', { name: 'Turn on notifications' });
    expect(await offer.count()).toBe(0);
    await say('one');
    await offer.waitFor();
    expect(await page.evaluate('asked')).toBe(0);
    await expectAccessible(page, 'the inbox with the offer');
    await offer.click();
    await offer.waitFor({ state: 'detached' });
    expect(await page.evaluate('asked')).toBe(1);

    // Seen, so not shown; then away, but another window is not; then away.
    await say('two');
    await page.getByText('two').waitFor();
    const second = await context.newPage();
    await second.goto('/memory');
    await second.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();
    await leave(page, true);
    await say('three');
    await page.getByText('three').waitFor();
    await second.close();
    await say('four');
    await expect.poll(() => page.evaluate('shown.length')).toBe(1);
    expect(await page.evaluate('shown[0].title')).toMatch(/ mentioned you$/);
    expect(await page.evaluate('shown[0].body')).toBe(`@${handle} four`);
    await page.evaluate('shown[0].click()');
    await page.waitForURL((url) => url.pathname === path && url.searchParams.has('m'));
    await page.reload();
    await page.goto('/inbox');
    await page.getByText('four').waitFor();
    expect(await offer.count()).toBe(0);
  });

  it('are not offered again to somebody who declined', async () => {
    const { client } = stage.atrium;
    const person = await stage.atrium.addPerson(uniqueEmail('quin'));
    const handle = await handleOf(stage.atrium, person);
    const { slug, id } = await createRoom(client, 'Declined');
    await client.messages.post(slug, id, { body: `@${handle} hello` });
    const { page, context } = await stage.open({ person });
    await context.addInitScript(FAKE);
    await page.goto('/inbox');
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.reload();
    await page.getByRole('link', { name: /mentioned you/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Turn on notifications' }).count()).toBe(0);
    expect(await page.evaluate('asked')).toBe(0);
    await page.goto('/settings/profile');
    await page.getByLabel(/Show notifications of this browser/).check();
    expect(await page.evaluate('asked')).toBe(1);
  });
});
