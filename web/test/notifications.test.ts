import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { clientOf, handleOf } from './harness/example-team.ts';
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

describe('a muted session', () => {
  it('is marked in the sidebar and puts nothing into the inbox until it is unmuted', async () => {
    const { client } = stage.atrium;
    const person = await stage.atrium.addPerson(uniqueEmail('olga'));
    const handle = await handleOf(stage.atrium, person);
    const { path, slug, id } = await createRoom(client, 'Loud');
    const { page } = await stage.open({ person });
    await page.goto(path);
    await composerOf(page).waitFor();
    const sidebar = page.getByRole('navigation', { name: 'Main' });
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Session actions' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Mute session');
    await sidebar.getByRole('img', { name: 'Muted' }).waitFor();
    await page.goto('/inbox');
    await client.messages.post(slug, id, { body: `@${handle} psst` });
    await sidebar.getByText('1 unread').first().waitFor({ state: 'attached' });
    expect((await clientOf(stage.atrium, person).notifications.list()).unreadTotal).toBe(0);
    await page.goto(path);
    await choose('Unmute session');
    await expect.poll(() => sidebar.getByRole('img', { name: 'Muted' }).count()).toBe(0);
    await page.goto('/inbox');
    await page.getByText('Nothing yet').waitFor();
    await client.messages.post(slug, id, { body: `@${handle} hello` });
    await page.getByRole('link', { name: /mentioned you/ }).waitFor();
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
