import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { composerOf } from './harness/browser.ts';
import { createRoom } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

describe('a server killed in the middle of a send', () => {
  it('gets the message once it is back, once, and the page goes on', async () => {
    const { atrium } = stage;
    const { slug, id, path } = await createRoom(atrium.client, 'Storm');
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    const composer = composerOf(page);
    await composer.fill('before');
    await composer.press('Enter');
    await expect.poll(async () => (await atrium.client.messages.list(slug, id)).total).toBe(1);

    // The request is let through to the server, which dies before the answer can come back.
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
    await page.reload().catch(() => {}); // Nobody answers: the page is gone until somebody does.
    await atrium.restart();
    await page.goto(path);
    const bodies = async () =>
      (await atrium.client.messages.list(slug, id)).items.map(({ body }) => body).toReversed();
    await expect
      .poll(bodies, { timeout: 30_000 })
      .toEqual(['before', 'in the storm', 'written meanwhile']);
    await sleep(1_000); // Long enough for a second copy to be sent, were there one.
    expect(await bodies()).toHaveLength(3);
    for (const text of await bodies()) {
      await expect.poll(() => page.getByText(text, { exact: true }).count()).toBe(1);
    }
  });

  it('is waited for with the page open: what was typed meanwhile is sent in order', async () => {
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
