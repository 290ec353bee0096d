import type { Page } from 'playwright-core';
import { buildWeb } from '../server/src/commands/build-web.ts';
import { startAtrium, type TestAtrium } from '../web/test/harness/atrium.ts';
import { launch, openBrowser } from '../web/test/harness/browser.ts';
import { FRAME_MS, quantile, watchFrames } from './frames.ts';
import { median } from './load.ts';
import { benchStreaming } from './web-streaming.ts';

const LIVE_TARGET_MS = 1000;
const AT_ONCE = 16;
const HINTS = 30;
const STEPS = 400;

/** Measures opening, scrolling and live updates in Chromium, in a session with `count` messages, then streaming. */
export async function benchWeb(count = '10000'): Promise<void> {
  process.env['TEST_CHROMIUM'] ??= '/usr/bin/chromium';
  await buildWeb();
  const atrium = await startAtrium();
  const browser = await launch();
  try {
    const room = await fillRoom(atrium, Number(count));
    const { page } = await openBrowser(browser, atrium, { person: await atrium.owner() });
    const opened: number[] = [];
    for (let round = 0; round < 5; round++) opened.push(await timeToOpen(page, room));
    say(
      `open a session with ${count} messages: ${median(opened).toFixed(0)} ms until the newest is shown`,
    );
    const frames = await scrollUp(page);
    say(
      `scroll: frame p50 ${at(frames, 0.5)}, p95 ${at(frames, 0.95)}, p99 ${at(frames, 0.99)} ms` +
        ` (${(quantile(frames, 0.95) / FRAME_MS).toFixed(2)} x a 60 Hz frame at p95),` +
        ` ${share(frames, 50)} over 50 ms; ${await page.getByRole('article').count()} rows in the DOM`,
    );
    await page.goto(room.path);
    const heard = await timeHints(page, atrium, room);
    say(
      `a new message is shown after p50 ${at(heard, 0.5)}, p95 ${at(heard, 0.95)} ms` +
        ` (${(quantile(heard, 0.95) / LIVE_TARGET_MS).toFixed(2)} of the target, ${LIVE_TARGET_MS} ms)`,
    );
  } finally {
    await browser.close();
    await atrium.stop();
  }
  await benchStreaming();
}

interface Room {
  slug: string;
  id: string;
  path: string;
  newest: string;
}

async function fillRoom({ client }: TestAtrium, count: number): Promise<Room> {
  const { slug } = await client.projects.create({ name: 'Bench' });
  const { id } = await client.sessions.create(slug, { name: 'Long' });
  let next = 0;
  const write = async () => {
    while (next < count) {
      const number = next++;
      const body = `Message ${number}: ${'some words '.repeat(1 + (number % 30))}`;
      await client.messages.post(slug, id, { body });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, write));
  await client.messages.post(slug, id, { body: 'The newest of all.' });
  return { slug, id, path: `/p/${slug}/s/${id}`, newest: 'The newest of all.' };
}

async function timeToOpen(page: Page, { path, newest }: Room): Promise<number> {
  await page.goto('about:blank');
  const started = performance.now();
  await page.goto(path);
  await page.getByText(newest, { exact: true }).waitFor();
  return performance.now() - started;
}

/** The times between frames while scrolling once per frame. */
async function scrollUp(page: Page): Promise<number[]> {
  await page.getByRole('feed').hover();
  return watchFrames(page, async () => {
    for (let step = 0; step < STEPS; step++) {
      await page.mouse.wheel(0, -300);
      await page.waitForTimeout(FRAME_MS);
    }
  });
}

async function timeHints(page: Page, { client }: TestAtrium, room: Room): Promise<number[]> {
  await page.getByText(room.newest, { exact: true }).waitFor();
  const times: number[] = [];
  for (let round = 0; round < HINTS; round++) {
    const body = `Live ${round}.`;
    const started = performance.now();
    const [seen] = await Promise.all([
      page
        .getByRole('feed')
        .getByText(body, { exact: true })
        .waitFor()
        .then(() => performance.now()),
      client.messages.post(room.slug, room.id, { body }),
    ]);
    times.push(seen - started);
  }
  return times;
}

const at = (values: readonly number[], part: number) => quantile(values, part).toFixed(1);

function share(values: readonly number[], limit: number): string {
  const over = values.filter((value) => value > limit).length;
  return `${((100 * over) / values.length).toFixed(1)} %`;
}

function say(line: string): void {
  process.stdout.write(`web: ${line}\n`);
}
