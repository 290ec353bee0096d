import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { buildWeb } from '../server/src/commands/build-web.ts';
import { startAtrium } from '../web/test/harness/atrium.ts';
import { composerOf, launch, openBrowser } from '../web/test/harness/browser.ts';
import { buildExampleTeam, type ExampleTeam } from '../web/test/harness/example-team.ts';
import { quantile } from './frames.ts';
import { traceInteractions, type Interaction } from './main-thread.ts';

/** The target, for all interactions together. */
const TARGET_MS = 100;
const SLOWED = 4;
const ROUNDS = 8;
const COLD_ROUNDS = 4;
/** By then, the frame that an input leads to is there. Looking for it earlier would be measured too. */
const SHOWN_MS = 400;
/** The page loads its other parts some seconds after it is there. */
const PARTS_LOADED_MS = 10_000;

/**
 * Measures interaction to next paint on a slowed processor: opening sessions and menus, typing, choosing.
 * With `cold`, the page is new each time, so that its code is loaded and runs for the first time. Other
 * words choose by name.
 */
export async function benchInteractions(...words: string[]): Promise<void> {
  process.env['TEST_CHROMIUM'] ??= '/usr/bin/chromium';
  await buildWeb();
  const isCold = words.includes('cold');
  const names = words.filter((word) => word !== 'cold');
  const atrium = await startAtrium();
  const browser = await launch();
  try {
    const team = await buildExampleTeam(atrium);
    const { page, context } = await openBrowser(browser, atrium, { person: await atrium.owner() });
    const devtools = await context.newCDPSession(page);
    const all: Interaction[] = [];
    for (const { name, path = pathOf(team), act } of actionsOn(page, team.session.name)) {
      if (names.length > 0 && !names.some((word) => name.includes(word))) continue;
      const measured: Interaction[] = [];
      for (let round = 0; round < (isCold ? COLD_ROUNDS : 1); round++) {
        if (isCold || !page.url().endsWith(path)) {
          await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
          await page.goto(path);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await sleep(isCold ? SHOWN_MS : PARTS_LOADED_MS);
          await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
        }
        const run = async () => {
          for (let time = 0; time < (isCold ? 1 : ROUNDS); time++) await act();
        };
        measured.push(...(await traceInteractions(browser, page, run)));
      }
      all.push(...measured);
      say(name, measured);
    }
    say(isCold ? 'all, cold' : 'all', all);
    if (
      quantile(
        all.map(({ wallMs }) => wallMs),
        0.95,
      ) > TARGET_MS
    ) {
      process.stdout.write(`over the target, ${TARGET_MS} ms\n`);
    }
  } finally {
    await browser.close();
    await atrium.stop();
  }
}

function pathOf({ project, session }: ExampleTeam): string {
  return `/p/${project.slug}/s/${session.id}`;
}

interface Action {
  name: string;
  /** Where it begins. The session, if it says nothing. */
  path?: string;
  /** Leaves the page as it found it. */
  act: () => Promise<void>;
}

export function actionsOn(page: Page, session: string): Action[] {
  const main = page.getByRole('main');
  const nav = page.getByRole('navigation', { name: 'Main' });
  return [
    {
      name: 'open a session',
      act: async () => {
        await press(nav.getByRole('link', { name: 'Inbox' }));
        await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
        await press(nav.getByRole('link', { name: session }).first());
        await composerOf(page).waitFor();
      },
    },
    {
      name: 'type a message',
      act: async () => {
        await press(composerOf(page));
        await type(page, 'Some words to type, one after the other. ');
        await composerOf(page).fill('');
      },
    },
    {
      name: 'suggest people',
      act: async () => {
        await press(composerOf(page));
        await type(page, '@gra');
        await page.getByRole('option').first().waitFor();
        await key(page, 'Escape');
        await composerOf(page).fill('');
      },
    },
    {
      name: 'open the session’s menu',
      act: async () => {
        await press(page.getByRole('button', { name: 'Session actions' }));
        await page.getByRole('menu').waitFor();
        await key(page, 'Escape');
        await page.getByRole('menu').waitFor({ state: 'detached' });
      },
    },
    {
      name: 'open the palette and search',
      act: async () => {
        await key(page, 'Control+k');
        await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor();
        await type(page, 'price');
        await key(page, 'Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      },
    },
    {
      name: 'pick an emoji',
      act: async () => {
        await press(main.getByRole('button', { name: 'Add emoji' }).first());
        await page.getByRole('combobox', { name: 'Search emoji' }).waitFor();
        await type(page, 'tad');
        await key(page, 'Escape');
        await page.getByRole('combobox', { name: 'Search emoji' }).waitFor({ state: 'detached' });
      },
    },
    {
      name: 'choose a time zone',
      path: '/settings/profile',
      act: async () => {
        await press(page.getByRole('button', { name: /^Time zone: / }));
        await page.getByRole('listbox').waitFor();
        await type(page, 'tok');
        await key(page, 'Enter');
        await page.getByRole('listbox').waitFor({ state: 'detached' });
      },
    },
  ];
}

/** With the bare mouse: Playwright’s own click looks at the page while it is busy. */
async function press(target: Locator): Promise<void> {
  await target.waitFor();
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('nothing to press');
  const mouse = target.page().mouse;
  await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await sleep(SHOWN_MS);
  await mouse.down();
  await mouse.up();
  await sleep(SHOWN_MS);
}

async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text, { delay: 60 });
  await sleep(SHOWN_MS);
}

async function key(page: Page, name: string): Promise<void> {
  await page.keyboard.press(name);
  await sleep(SHOWN_MS);
}

function say(name: string, measured: readonly Interaction[]): void {
  const inWords = (of: (one: Interaction) => number) => {
    const at = (part: number) => quantile(measured.map(of), part).toFixed(0);
    return `p50 ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)} ms`;
  };
  process.stdout.write(
    `interactions: ${name}: ${measured.length}, ${inWords(({ wallMs }) => wallMs)}; main thread ${inWords(({ busyMs }) => busyMs)}\n`,
  );
}
