import type { Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../sdk-js/src/index.ts';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { createRoom, uniqueEmail, type Room } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();
let boats: Room;
let posted: Message;

beforeAll(async () => {
  const { client } = stage.atrium;
  boats = await createRoom(client, 'Harbour');
  await client.sessions.create(boats.slug, { name: 'Backend engineer' });
  await client.sessions.create(boats.slug, { name: 'Anchor chains' });
  posted = await client.messages.post(boats.slug, boats.id, {
    body: 'The anchor weighs 40 kilograms.',
  });
  for (let at = 0; at < 60; at++) {
    await client.messages.post(boats.slug, boats.id, { body: `Knot number ${at}.` });
  }
  await client.memory.create({ content: 'A spare anchor is in the shed.', visibility: 'ORG' });
  await client.tasks.create(boats.projectId, { title: 'Polish the anchor' });
  await stage.atrium.addPerson(uniqueEmail('anchorman'));
});

async function openPalette(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor();
}

const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const selected = (page: Page) => page.getByRole('option', { selected: true });

/** Moves down until an option with this text is selected. */
async function moveTo(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole('option', { name: text }).first().waitFor();
  for (let step = 0; step < 40; step++) {
    if ((await selected(page).filter({ hasText: text }).count()) > 0) return;
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`no option ${text}`);
}

/** The requests to the API that the page makes from now on, and how many of them are under way. */
function watchRequests(page: Page): { asked: Request[]; open: Set<Request> } {
  const asked: Request[] = [];
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.startsWith('/api/')) return;
    asked.push(request);
    open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return { asked, open };
}

function queryOf(request: Request): string | null {
  if (request.method() === 'GET') return new URL(request.url()).searchParams.get('query');
  return (request.postDataJSON() as { query: string }).query;
}

/** Faster than any pause, however busy the machine is. */
async function typeAtOnce(page: Page, texts: string[], key?: string): Promise<void> {
  await page.getByRole('combobox').evaluate(
    (input, { values, last }) => {
      const property = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      for (const value of values) {
        property?.set?.call(input, value);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }
      if (last) input.dispatchEvent(new KeyboardEvent('keydown', { key: last, bubbles: true }));
    },
    { values: texts, last: key },
  );
}

describe('the palette', () => {
  it('opens what was typed, even if Enter comes before the list', async () => {
    const { page } = await stage.openAsOwner();
    await openPalette(page);
    await typeAtOnce(page, ['anchor chains'], 'Enter');
    await page.getByRole('heading', { level: 1, name: 'Anchor chains' }).waitFor();
  });

  it('lists sessions, projects, people, messages, tasks and memories in groups, by keyboard alone', async () => {
    const { page } = await stage.openAsOwner();
    await openPalette(page);
    await page.keyboard.type('anchor');
    await group(page, 'Sessions')
      .getByRole('option', { name: /Anchor chains/ })
      .waitFor();
    await group(page, 'People')
      .getByRole('option', { name: /anchorman/ })
      .waitFor();
    await group(page, 'Messages')
      .getByRole('option', { name: /weighs 40 kilograms/ })
      .waitFor();
    await group(page, 'Memories')
      .getByRole('option', { name: /spare anchor/ })
      .waitFor();
    await group(page, 'Tasks')
      .getByRole('option', { name: /Polish the anchor/ })
      .waitFor();
    expect(await group(page, 'Messages').locator('mark').allTextContents()).toEqual(['anchor']);
    await expectAccessible(page, 'the palette with results');

    await moveTo(page, /weighs 40/);
    await page.keyboard.press('Enter');
    const message = page.locator(`article[data-message="${posted.id}"]`);
    await message.waitFor();
    expect(await message.evaluate((row) => row === document.activeElement)).toBe(true);

    // The address names it already. It is shown again after the reader has left it.
    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await page.goto(`${boats.path}?m=${posted.id}`);
    await message.waitFor();
    await page.getByRole('feed').hover();
    await page.mouse.wheel(0, 20_000);
    await page.getByText('Knot number 59.').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor();
    await page.keyboard.type('anchor weighs');
    await moveTo(page, /weighs 40/);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await message.boundingBox())?.y ?? -1).toBeGreaterThan(50);

    await openPalette(page);
    await page.keyboard.type('harbour');
    await moveTo(page, /^Harbour/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /Harbour/ }).waitFor();

    await openPalette(page);
    await page.keyboard.type('anchor');
    await moveTo(page, /spare anchor/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Memory' }).getByText('in the shed').waitFor();

    await openPalette(page);
    await page.keyboard.type('#1');
    await moveTo(page, /Polish the anchor.*#1 in Harbour/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Polish the anchor' }).waitFor();

    await openPalette(page);
    await page.keyboard.type('anchorman');
    await moveTo(page, /anchorman.*@/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/p\/direct\/s\//);
    await page.getByRole('heading', { level: 1, name: /anchorman/ }).waitFor();

    await openPalette(page);
    await page.keyboard.type('kilograms');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Messages' }).getByText('weighs 40').waitFor();
  });

  it('matches names strictly', async () => {
    const { page } = await stage.openAsOwner();
    await openPalette(page);
    await page.keyboard.type('bankeng');
    await page.getByText('Searching…').waitFor({ state: 'detached' });
    expect(await group(page, 'Sessions').count()).toBe(0);
    await page.getByRole('combobox').fill('backend');
    await group(page, 'Sessions')
      .getByRole('option', { name: /Backend engineer/ })
      .waitFor();
  });

  it('asks four times a pause, not while someone types, and cancels what nobody waits for', async () => {
    const { page } = await stage.openAsOwner();
    const { asked, open } = watchRequests(page);
    const members = page.waitForResponse(/\/members$/);
    await openPalette(page);
    await members;
    await expect.poll(() => open.size).toBe(0);
    asked.length = 0;
    await typeAtOnce(page, ['a', 'an', 'anc']);
    await group(page, 'Memories')
      .getByRole('option', { name: /Search memory/ })
      .waitFor();
    await expect.poll(() => asked.length).toBe(4);
    await page.getByText('Searching…').waitFor({ state: 'detached' });
    await typeAtOnce(page, ['anch', 'ancho', 'anchor']);
    await group(page, 'Messages')
      .getByRole('option', { name: /weighs 40/ })
      .waitFor();
    await page.getByText('Searching…').waitFor({ state: 'detached' });
    const paths = asked.map((request) => new URL(request.url()).pathname);
    const pause = ['/api/files', '/api/memory/search', '/api/messages/search', '/api/tasks'];
    expect(paths.slice(0, 4).toSorted()).toEqual(pause);
    expect(paths.slice(4).toSorted()).toEqual(pause);
    expect(asked.map(queryOf)).toEqual([...Array(4).fill('anc'), ...Array(4).fill('anchor')]);

    const held = Promise.withResolvers<void>();
    await page.route('**/api/messages/search', async (route) => {
      const { query } = route.request().postDataJSON() as { query: string };
      if (query === 'anchor w') await held.promise;
      await route.continue().catch(() => {});
    });
    const cancelled = page.waitForEvent('requestfailed');
    await typeAtOnce(page, ['anchor ', 'anchor w']);
    await expect.poll(() => asked.length).toBe(12);
    await typeAtOnce(page, ['anchor we', 'anchor weighs']);
    expect(queryOf(await cancelled)).toBe('anchor w');
    held.resolve();
    await page.getByText('Searching…').waitFor({ state: 'detached' });
    expect(asked).toHaveLength(16);
  });

  it('keeps what is selected when results arrive, and starts with the best name', async () => {
    const { page } = await stage.openAsOwner();
    await openPalette(page);
    const held = Promise.withResolvers<void>();
    await page.route('**/api/messages/search', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.keyboard.type('anchor');
    await moveTo(page, /Search memory for “anchor”/);
    held.resolve();
    await group(page, 'Messages')
      .getByRole('option', { name: /weighs 40/ })
      .waitFor();
    expect(await selected(page).textContent()).toContain('Search memory for “anchor”');
    await page.getByRole('combobox').fill('anchor c');
    await expect.poll(() => selected(page).textContent()).toContain('Anchor chains');
  });

  it('remembers where the person was, on this device, until they sign out', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/settings/models');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.goto(boats.path);
    await composerOf(page).waitFor();
    await openPalette(page, '/memory');
    const recent = group(page, 'Recent').getByRole('option');
    await expect.poll(() => recent.count()).toBe(2);
    expect(await recent.first().textContent()).toContain('Chat');
    expect(await recent.last().textContent()).toContain('Models');
    await expectAccessible(page, 'the palette with recent places');
    await page.keyboard.press('Enter');
    await composerOf(page).waitFor();
    expect(new URL(page.url()).pathname).toBe(boats.path);

    // Nobody else's, and only what this person can see.
    // The page is left first: told of a new member, it would ask who is signed in, which renews the owner's cookie.
    await page.goto('about:blank');
    const guest = await stage.atrium.addPerson(uniqueEmail('visitor'));
    await page.context().addCookies([guest.cookie]);
    await openPalette(page);
    await group(page, 'Sessions').waitFor();
    expect(await group(page, 'Recent').count()).toBe(0);
    await page.keyboard.type('sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /Sign in/ }).waitFor();
    const kept = await page.evaluate<string[]>('Object.keys(localStorage)');
    expect(kept.filter((name) => name.startsWith('atrium.recent'))).toEqual([]);
  });
});
