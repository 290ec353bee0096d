import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { SETTINGS_PAGES } from '../src/screens/settings/pages.ts';
import { composerOf, expectAccessible, expectReadableInTheDark } from './harness/browser.ts';
import { buildExampleTeam, type ExampleTeam } from './harness/example-team.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();
let team: ExampleTeam;

beforeAll(async () => {
  team = await buildExampleTeam(stage.atrium);
});

const PAGES: Record<string, () => string> = {
  home: () => '/',
  inbox: () => '/inbox',
  project: () => `/p/${team.project.slug}`,
  session: () => `/p/${team.project.slug}/s/${team.session.id}`,
  thread: () =>
    `/p/${team.project.slug}/s/${team.session.id}?thread=${team.messages.find(({ replyCount }) => replyCount > 0)?.id}`,
  'files in messages': () => `/p/${team.project.slug}/s/${team.shared.id}`,
  'a PDF': () => `/p/${team.project.slug}/files?file=${team.pdfId}`,
  files: () => `/p/${team.project.slug}/files`,
  threads: () => '/threads',
  'new chat': () => '/chat',
  'my tasks': () => '/tasks',
  tasks: () => `/p/${team.project.slug}/tasks`,
  board: () => `/p/${team.project.slug}/tasks/board`,
  task: () => `/p/${team.project.slug}/t/1`,
  memory: () => '/memory',
  'memory search': () => '/memory?q=price+of+the+team+plan',
  search: () => '/search',
  'search results': () => '/search?q=northwind+annual+billing',
  ...Object.fromEntries(SETTINGS_PAGES.map(({ to }) => [to, () => to])),
  'not found': () => '/no/such/page',
};

/** Adds up how far things jump while the page loads. */
const WATCH_SHIFTS = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

describe.each([
  { width: 1280, themes: 'in light and dark' },
  { width: 360, themes: 'in light' },
])('$width px wide, $themes', ({ width, themes }) => {
  const size = { width, height: 800 };

  async function expectFine(page: Page, name: string): Promise<void> {
    await expectAccessible(page, name);
    if (themes === 'in light and dark') await expectReadableInTheDark(page, name);
  }

  it('every member page is accessible, none scrolls sideways, and nothing jumps', async () => {
    const { page } = await stage.openAsOwner({ size });
    await page.addInitScript(WATCH_SHIFTS);
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(path());
      await page.getByRole('heading').first().waitFor();
      await page.getByText('Loading').first().waitFor({ state: 'detached' });
      // What browsers call good.
      expect(await page.evaluate('window.shift'), `${name} shifts`).toBeLessThanOrEqual(0.1);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
      await expectFine(page, name);
    }
  }, 480_000);

  it('the palette is accessible with results of every kind', async () => {
    const { page } = await stage.openAsOwner({ size });
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('launch');
    const found = (group: string, name: RegExp) =>
      page.getByRole('group', { name: group }).getByRole('option', { name }).first().waitFor();
    await found('Projects', /Winter launch/);
    await found('Memories', /3 February/);
    await page.getByRole('combobox').fill('grace northwind');
    await found('Messages', /came back/);
    await expectFine(page, 'the palette');
  });

  it('every visitor page is accessible', async () => {
    const { page } = await stage.open({ size });
    for (const path of ['/sign-in', '/sign-in#token=abc', '/invite/unknown', '/confirm-email']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expectFine(page, path);
    }
  });
});

it('nothing moves, and colours change at once, for people who asked for less motion', async () => {
  const { page } = await stage.openAsOwner();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const seen = await page.evaluate<unknown>(`
    (() => {
      const heading = document.querySelector('main h1');
      const before = getComputedStyle(heading).color;
      document.documentElement.dataset.theme = 'dark';
      const changed = getComputedStyle(heading).color !== before;
      return { changed, moving: document.getAnimations().length };
    })()
  `);
  expect(seen).toEqual({ changed: true, moving: 0 });
});

describe('by keyboard alone', () => {
  it('a person finds a session in the palette, asks a question, and reacts to the answer', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('discount');
    await page
      .getByRole('option', { name: /Discount policy/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await composerOf(page).waitFor();
    await composerOf(page).focus();
    await page.keyboard.type('@rec');
    await page
      .getByRole('option', { name: /recall/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('when is the launch?');
    await page.keyboard.press('Enter');
    const answer = page.getByRole('article').filter({ hasText: '3 February' }).last();
    await answer.waitFor();
    await answer.focus();
    await page.keyboard.press('+');
    await page.getByRole('grid', { name: 'Emoji' }).waitFor();
    await expectAccessible(page, 'the emoji picker');
    await page.keyboard.type('party pop');
    await page.getByRole('gridcell', { name: 'party popper' }).waitFor();
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: /reacted with party popper/ })
      .first()
      .waitFor();
  });

  it('the dialog to create a key opens and closes, and focus returns', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/settings/keys');
    const open = page.getByRole('button', { name: 'Create key' });
    await open.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page, 'the dialog to create a key');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await open.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('the skip link is first, and ? lists the shortcuts', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/memory');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: /shortcuts/i }).waitFor();
    await page.keyboard.press('Escape');
    await page.goto('/settings/models');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.keyboard.press('Tab');
    const text = await page.evaluate<string>('document.activeElement.textContent');
    expect(text).toMatch(/skip/i);
  });
});
