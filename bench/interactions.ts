import { setTimeout as sleep } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import { buildWeb } from '../server/src/commands/build-web.ts';
import { startAtrium, type TestAtrium } from '../web/test/harness/atrium.ts';
import { launch, openBrowser } from '../web/test/harness/browser.ts';
import { buildExampleTeam } from '../web/test/harness/example-team.ts';
import { measureInteractions, watchInteractions, type Interaction } from './event-timing.ts';
import { quantile } from './frames.ts';
import { stepsOn, type Names, type Step } from './interaction-steps.ts';

/** The target, for all interactions together and for each kind of them. */
const TARGET_MS = 100;
const SLOWED = 4;
const ROUNDS = 8;
const COLD_ROUNDS = 4;
const MESSAGES = 200;
const TASKS = 60;
/** The page loads its other parts some seconds after it is there. */
const PARTS_LOADED_MS = 10_000;
const COLD_MS = 1_000;

/**
 * Measures interaction to next paint with Event Timing on a slowed processor, after each kind was done once.
 * With `cold`, the page is new each time, so that its code is loaded and runs for the first time. Other
 * words choose by name.
 */
export async function benchInteractions(...words: string[]): Promise<void> {
  process.env['TEST_CHROMIUM'] ??= '/usr/bin/chromium';
  await buildWeb();
  const isCold = words.includes('cold');
  const wanted = words.filter((word) => word !== 'cold');
  const atrium = await startAtrium();
  const browser = await launch();
  try {
    const { names, paths } = await fillTeam(atrium);
    const { page, context } = await openBrowser(browser, atrium, { person: await atrium.owner() });
    await watchInteractions(page);
    const devtools = await context.newCDPSession(page);
    const measured: Interaction[] = [];
    for (const step of stepsOn(page, names)) {
      if (wanted.length > 0 && !wanted.some((word) => step.name.includes(word))) continue;
      const path = paths[step.at ?? 'session'];
      const all = await (isCold ? measureCold : measureWarm)(page, devtools, path, step);
      measured.push(...all);
      say(step.name, all);
    }
    say(isCold ? 'all, cold' : 'all', measured);
  } finally {
    await browser.close();
    await atrium.stop();
  }
}

async function measureWarm(page: Page, devtools: CDPSession, path: string, { act }: Step) {
  if (!page.url().endsWith(path)) await open(page, devtools, path, PARTS_LOADED_MS);
  await act();
  return measureInteractions(page, async () => {
    for (let round = 0; round < ROUNDS; round++) await act();
  });
}

async function measureCold(page: Page, devtools: CDPSession, path: string, { act }: Step) {
  const all: Interaction[] = [];
  for (let round = 0; round < COLD_ROUNDS; round++) {
    await page.goto('about:blank');
    await open(page, devtools, path, COLD_MS);
    all.push(...(await measureInteractions(page, act)));
  }
  return all;
}

async function open(page: Page, devtools: CDPSession, path: string, ms: number): Promise<void> {
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await sleep(ms);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
}

/** A session of 200 messages of all kinds, and a full board. */
export async function fillTeam(atrium: TestAtrium) {
  const { project, session, messages } = await buildExampleTeam(atrium);
  const { client } = atrium;
  const bodies = messages.flatMap(({ body }) => (body.includes('@') || body === '' ? [] : [body]));
  for (let nth = 0; nth < MESSAGES; nth++) {
    const body = `${nth}. ${bodies[nth % bodies.length] ?? 'Nothing to add.'}`;
    await client.messages.post(project.slug, session.id, { body });
  }
  for (let nth = 0; nth < TASKS; nth++) {
    const status =
      (['TODO', 'TODO', 'IN_PROGRESS', 'IN_REVIEW', 'DONE'] as const)[nth % 5] ?? 'TODO';
    await client.tasks.create(project.id, { title: `Check page ${nth} of the offer`, status });
  }
  const names: Names = {
    session: session.name,
    project: project.name,
    otherProject: 'Winter launch',
    task: 'Check page 0 of',
  };
  const home = `/p/${project.slug}`;
  const paths = {
    session: `${home}/s/${session.id}`,
    list: `${home}/tasks`,
    board: `${home}/tasks/board`,
    profile: '/settings/profile',
  };
  return { names, paths };
}

function say(name: string, measured: readonly Interaction[]): void {
  const at = (part: number) =>
    quantile(
      measured.map(({ totalMs }) => totalMs),
      part,
    );
  const longest = measured.toSorted((a, b) => b.totalMs - a.totalMs)[0];
  const parts = longest
    ? ` (${longest.event}: ${longest.waitMs.toFixed(0)} waiting, ${longest.workMs.toFixed(0)} handlers)`
    : '';
  const isOver = at(0.95) > TARGET_MS ? `, over the target of ${TARGET_MS}` : '';
  process.stdout.write(
    `interactions: ${name}: ${measured.length}, p50 ${at(0.5)}, p95 ${at(0.95)}${isOver}, longest ${at(1)} ms${parts}\n`,
  );
}
