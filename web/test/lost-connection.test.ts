import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { composerOf } from './harness/browser.ts';
import { createRoom } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

describe('a page that is opened while the server is away', () => {
  it('says so inside the app, and is there once the server is back', async () => {
    const { atrium } = stage;
    const { page } = await stage.openAsOwner();
    // As if the server had gone before these could be loaded ahead.
    const missing = /\/assets\/(memory|shortcuts-sheet)-/;
    await page.route(missing, (route) => route.abort('connectionrefused'));
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await atrium.kill();
    await page.getByRole('link', { name: 'Memory', exact: true }).click();
    await page.getByRole('heading', { name: 'Couldn’t load this page' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.keyboard.press('Control+/');
    await page.getByRole('dialog', { name: 'Something went wrong' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The rest of the app is still there.
    await page.getByRole('link', { name: 'All projects' }).click();
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.getByRole('link', { name: 'Memory', exact: true }).click();
    await page.getByRole('heading', { name: 'Couldn’t load this page' }).waitFor();
    await page.getByText(/not connected/i).waitFor();
    await page.unroute(missing);
    await atrium.restart();
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();
  });

  it('is shown if it was loaded ahead', async () => {
    const { atrium } = stage;
    const { page } = await stage.openAsOwner();
    const loaded = [/\/assets\/settings-/, /\/assets\/profile-/].map((file) =>
      page.waitForResponse(file).then((response) => response.finished()),
    );
    await page.goto('/');
    await Promise.all(loaded);
    await atrium.kill();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('navigation', { name: 'Settings' }).waitFor();
    await atrium.restart();
  });
});

describe('a server killed in the middle of a send', () => {
  it('gets the message exactly once when it is back, and the page continues', async () => {
    const { atrium } = stage;
    const { slug, id, path } = await createRoom(atrium.client, 'Storm');
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    const composer = composerOf(page);
    await composer.fill('before');
    await composer.press('Enter');
    await expect.poll(async () => (await atrium.client.messages.list(slug, id)).total).toBe(1);

    // The request reaches the server, which is killed before the response gets back.
    let isHeld = true;
    await page.route('**/messages', async (route) => {
      if (route.request().method() !== 'POST' || !isHeld) return route.continue();
      isHeld = false;
      await route.fetch();
      await atrium.kill();
      await route.abort('connectionreset');
    });
    await composer.fill('in the storm');
    await composer.press('Enter');
    await page.getByText('in the storm').waitFor();
    await page
      .getByText(/not connected/i)
      .first()
      .waitFor();
    await composer.fill('written meanwhile');
    await composer.press('Enter');
    await page.reload().catch(() => {}); // No server responds, so the page is gone until it is back.
    await atrium.restart();
    await page.goto(path);
    const bodies = async () =>
      (await atrium.client.messages.list(slug, id)).items.map(({ body }) => body).toReversed();
    await expect
      .poll(bodies, { timeout: 30_000 })
      .toEqual(['before', 'in the storm', 'written meanwhile']);
    await sleep(1_000); // Long enough for a duplicate to be sent, if there were one.
    expect(await bodies()).toHaveLength(3);
    for (const text of await bodies()) {
      await expect.poll(() => page.getByText(text, { exact: true }).count()).toBe(1);
    }
  });

  it('is waited for while the page stays open, and messages typed meanwhile are sent in order', async () => {
    const { atrium } = stage;
    const { slug, id, path } = await createRoom(atrium.client, 'Calm');
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    const composer = composerOf(page);
    await composer.waitFor();
    await atrium.kill();
    for (const text of ['one', 'two', 'three']) {
      await composer.fill(text);
      await composer.press('Enter');
    }
    await atrium.restart();
    await expect
      .poll(
        async () =>
          (await atrium.client.messages.list(slug, id)).items.map(({ body }) => body).toReversed(),
        { timeout: 60_000 },
      )
      .toEqual(['one', 'two', 'three']);
    await page.getByText(/not connected/i).waitFor({ state: 'detached' });
  });
});
