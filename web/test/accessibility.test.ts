import { beforeAll, describe, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { buildExampleTeam, type ExampleTeam } from './harness/example-team.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();
let team: ExampleTeam;

beforeAll(async () => {
  team = await buildExampleTeam(stage.atrium);
});

const PAGES: Record<string, () => string> = {
  home: () => '/',
  project: () => `/p/${team.project.slug}`,
  session: () => `/p/${team.project.slug}/s/${team.session.id}`,
  thread: () =>
    `/p/${team.project.slug}/s/${team.session.id}?thread=${team.messages.find(({ replyCount }) => replyCount > 0)?.id}`,
  memory: () => '/memory',
  'memory search': () => '/memory?q=price+of+the+team+plan',
  profile: () => '/settings/profile',
  organisation: () => '/settings/organisation',
  members: () => '/settings/members',
  keys: () => '/settings/keys',
  billing: () => '/settings/billing',
  usage: () => '/settings/usage',
  agents: () => '/settings/agents',
  integrations: () => '/settings/integrations',
  models: () => '/settings/models',
  audit: () => '/settings/audit',
  export: () => '/settings/export',
  'not found': () => '/no/such/page',
};

describe.each([
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 360 },
] as const)('in $theme, $width px wide', ({ theme, width }) => {
  it('every member page is accessible, and none scrolls sideways', async () => {
    const { page } = await stage.openAsOwner({ theme, size: { width, height: 800 } });
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(path());
      await page.getByRole('heading').first().waitFor();
      await page.getByText('Loading').first().waitFor({ state: 'detached' });
      await expectAccessible(page, name);
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0);
    }
  });

  it('every visitor page is accessible', async () => {
    const { page } = await stage.open({ theme, size: { width, height: 800 } });
    for (const path of ['/sign-in', '/sign-in#token=abc', '/invite/unknown', '/confirm-email']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await expectAccessible(page, path);
    }
  });
});

describe('while a page loads', () => {
  it('nothing jumps: the layout shift is at most 0.1, which browsers call good', async () => {
    const { page } = await stage.openAsOwner();
    await page.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto(path());
      await page.getByRole('heading').first().waitFor();
      await page.getByText('Loading').first().waitFor({ state: 'detached' });
      expect(await page.evaluate('window.shift'), `${name} shifts`).toBeLessThanOrEqual(0.1);
    }
  });
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
    await page.getByRole('group', { name: 'Reactions' }).waitFor();
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: /reacted with/ })
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
