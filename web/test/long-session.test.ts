import { beforeAll, describe, expect, it } from 'vitest';
import { setStage } from './harness/stage.ts';

const COUNT = 1_200;
const stage = setStage();
let path: string;
let middle: string;

beforeAll(async () => {
  const { client } = stage.atrium;
  const { slug } = await client.projects.create({ name: 'Long talk' });
  const { id } = await client.sessions.create(slug, { name: 'Everything' });
  path = `/p/${slug}/s/${id}`;
  for (let at = 1; at <= COUNT; at++) {
    const message = await client.messages.post(slug, id, { body: `Message number ${at}.` });
    if (at === COUNT / 2) middle = message.id;
  }
}, 240_000);

describe('a session of many messages', () => {
  it('opens at the newest, keeps few messages on the page, and loads older ones on scroll', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    await page.getByText(`Message number ${COUNT}.`).waitFor();
    expect(await page.getByText('Message number 1.', { exact: true }).count()).toBe(0);
    // The wheel scrolls what the mouse is over.
    await page.getByRole('feed').hover();
    const seen = new Set<number>();
    for (let round = 0; round < 800 && !seen.has(1); round++) {
      const texts = await page.getByRole('article').allTextContents();
      expect(texts.length).toBeLessThan(150);
      for (const text of texts) seen.add(Number(/number (\d+)/.exec(text)?.[1]));
      await page.mouse.wheel(0, -400);
      await page.waitForTimeout(30);
    }
    // Nothing was skipped on the way up.
    expect([...seen].filter((number) => number > 0)).toHaveLength(COUNT);
  });

  it('a link to a message opens there, and the newest is one press away', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto(`${path}?m=${middle}`);
    const target = page.getByText(`Message number ${COUNT / 2}.`, { exact: true });
    await target.waitFor();
    await expect.poll(async () => (await target.boundingBox())?.y ?? -1).toBeGreaterThan(60);
    await page.getByRole('button', { name: /newest/i }).click();
    await page.getByText(`Message number ${COUNT}.`).waitFor();
  });

  it('a link to a missing message says so and shows the newest', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto(`${path}?m=cnosuchmessage000000000000`);
    await page.getByText(`Message number ${COUNT}.`).waitFor();
    await page
      .getByText(/isn’t in this session/)
      .first()
      .waitFor();
  });
});
