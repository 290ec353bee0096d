import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { composerOf } from '../web/test/harness/browser.ts';

/** By then, the frame that an input leads to is there. Looking for it earlier would be measured too. */
const SHOWN_MS = 400;
/** 100 words a minute. */
const KEY_MS = 120;

/** Something that people do all day. It leaves the page as it found it. */
export interface Step {
  name: string;
  /** Where it begins: the session, if it says nothing. */
  at?: 'list' | 'board' | 'profile';
  act: () => Promise<void>;
}

export interface Names {
  session: string;
  project: string;
  otherProject: string;
  /** The first one on the board. */
  task: string;
}

export function stepsOn(page: Page, names: Names): Step[] {
  const main = page.getByRole('main');
  const nav = page.getByRole('navigation', { name: 'Main' });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const choosing = async (button: Locator, field: Locator, words: string) => {
    await press(button);
    await field.waitFor();
    await type(page, words);
    await key(page, 'Escape');
    await field.waitFor({ state: 'detached' });
  };
  return [
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
      name: 'pick an emoji',
      act: () =>
        choosing(
          main.getByRole('button', { name: 'Add emoji' }).first(),
          page.getByRole('combobox', { name: 'Search emoji' }),
          'tad',
        ),
    },
    {
      name: 'open a session',
      act: async () => {
        await press(nav.getByRole('link', { name: 'Inbox' }));
        await heading('Inbox');
        await press(nav.getByRole('link', { name: names.session }).first());
        await composerOf(page).waitFor();
      },
    },
    {
      name: 'switch projects',
      act: async () => {
        await press(nav.getByRole('link', { name: names.otherProject, exact: true }));
        await heading(names.otherProject);
        await press(nav.getByRole('link', { name: names.project, exact: true }));
        await heading(names.project);
        await press(nav.getByRole('link', { name: names.session }).first());
        await composerOf(page).waitFor();
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
        const field = page.getByRole('combobox', { name: 'Search or jump to' });
        await key(page, 'Control+k');
        await field.waitFor();
        await type(page, 'price');
        await key(page, 'Escape');
        await field.waitFor({ state: 'detached' });
      },
    },
    {
      name: 'open a task',
      at: 'list',
      act: async () => {
        await press(main.getByRole('link', { name: names.task }));
        await page
          .getByRole('button', { name: /^Status/ })
          .first()
          .waitFor();
        await page.goBack();
        await main.getByRole('link', { name: names.task }).waitFor();
      },
    },
    {
      name: 'drag a card',
      at: 'board',
      act: async () => {
        const card = page.locator('[data-card]', { hasText: names.task });
        for (const column of ['IN_PROGRESS', 'TODO']) {
          await drag(card, page.locator(`[data-column="${column}"]`));
          await page.locator(`[data-column="${column}"]`, { has: card }).waitFor();
        }
      },
    },
    {
      name: 'choose a time zone',
      at: 'profile',
      act: () =>
        choosing(
          page.getByRole('button', { name: /^Time zone: / }),
          page.getByRole('listbox'),
          'tok',
        ),
    },
  ];
}

/** With the bare mouse: Playwright’s own click looks at the page while it is busy. */
async function press(target: Locator): Promise<void> {
  await moveTo(target);
  await sleep(SHOWN_MS);
  await target.page().mouse.down();
  await target.page().mouse.up();
  await sleep(SHOWN_MS);
}

async function drag(card: Locator, to: Locator): Promise<void> {
  await moveTo(card);
  await sleep(SHOWN_MS);
  const { mouse } = card.page();
  await mouse.down();
  await moveTo(to, 12);
  await sleep(SHOWN_MS);
  await mouse.up();
  await sleep(SHOWN_MS);
}

async function moveTo(target: Locator, steps = 1): Promise<void> {
  await target.waitFor();
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('nothing to press');
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 60)];
  await target.page().mouse.move(x, y, { steps });
}

async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text, { delay: KEY_MS });
  await sleep(SHOWN_MS);
}

async function key(page: Page, name: string): Promise<void> {
  await page.keyboard.press(name);
  await sleep(SHOWN_MS);
}
