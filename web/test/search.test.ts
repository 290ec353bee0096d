import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../sdk-js/src/index.ts';
import { clientOf } from './harness/example-team.ts';
import { expectAccessible } from './harness/browser.ts';
import { chooseOption, fieldOf } from './harness/fields.ts';
import { createRoom, uniqueEmail, type Room } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();
let roof: Room;
let walls: Room;
let inRoof: Message;
let inWalls: Message;
let reply: Message;

/** Enough that the found message and the newest are never on the page together. */
const BETWEEN = 130;

beforeAll(async () => {
  const { client } = stage.atrium;
  [roof, walls] = [await createRoom(client, 'Roof'), await createRoom(client, 'Walls')];
  const post = (room: Room, body: string, parentMessageId?: string) =>
    client.messages.post(room.slug, room.id, { body, ...(parentMessageId && { parentMessageId }) });
  inRoof = await post(roof, '🎉 The **chimney** needs sweeping before winter.');
  reply = await post(roof, 'Sweeping it costs 80 euros, says Turing.', inRoof.id);
  inWalls = await post(walls, 'A chimney hides behind this wall.');
  for (let at = 1; at <= BETWEEN; at++) await post(roof, `Filler number ${at}.`);
}, 240_000);

const results = (page: Page) => page.getByRole('list', { name: 'Messages' }).getByRole('listitem');

async function expectInView(target: Locator): Promise<void> {
  await target.waitFor();
  await expect.poll(async () => (await target.boundingBox())?.y ?? -1).toBeGreaterThan(50);
}

describe('search', () => {
  it('finds messages by other forms of the words, marks them, and jumps to the message in its place', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/');
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByText('Find what was said').waitFor();
    await page.keyboard.type('sweep chimneys');
    const first = results(page).first();
    await first.getByText('needs').waitFor();
    // What is found changes while one types.
    const marks = () => first.locator('mark').allTextContents();
    await expect.poll(marks).toEqual(['chimney', 'sweeping']);
    expect(await first.textContent()).not.toContain('**');
    await expect.poll(() => results(page).count()).toBe(3);
    expect(new URL(page.url()).searchParams.get('q')).toBe('sweep chimneys');

    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const target = page.locator(`article[data-message="${inRoof.id}"]`);
    await expectInView(target);
    expect(await target.getAttribute('class')).toContain('bg-accent-soft');
    expect(await target.evaluate((row) => row === document.activeElement)).toBe(true);
    // The highlight passes, and the address still names the message.
    await expect.poll(() => target.getAttribute('class')).not.toContain('bg-accent-soft');
    expect(await page.getByText(`Filler number ${BETWEEN}.`).count()).toBe(0);
    await page.reload();
    await expectInView(target);

    await page.getByRole('feed').hover();
    for (let round = 0; round < 200; round++) {
      if ((await page.getByText(`Filler number ${BETWEEN}.`).count()) > 0) break;
      await page.mouse.wheel(0, 600);
      await page.waitForTimeout(30);
    }
    await page.getByText(`Filler number ${BETWEEN}.`).waitFor();

    await page.goto(`${roof.path}?m=${inRoof.id}`);
    await expectInView(target);
    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await page.getByText(`Filler number ${BETWEEN}.`).waitFor();
    expect(new URL(page.url()).searchParams.has('m')).toBe(false);
  });

  it('opens the thread of a reply', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/search?q=turing');
    await page.getByText('in a thread in Chat').waitFor();
    await results(page).getByRole('link').click();
    await page.getByRole('textbox', { name: 'Reply', exact: true }).waitFor();
    await page.locator(`article[data-message="${reply.id}"]`).waitFor();
    await page.reload();
    await page.locator(`article[data-message="${reply.id}"]`).waitFor();
  });

  it('filters by project, session, author and date, all kept in the address', async () => {
    const guest = await stage.atrium.addPerson(uniqueEmail('mason'));
    const theirs = await clientOf(stage.atrium, guest).messages.post(walls.slug, walls.id, {
      body: 'I can rebuild the chimney.',
    });
    const { page } = await stage.openAsOwner();
    const shown = async (...messages: Message[]) => {
      const hrefs = () =>
        results(page)
          .getByRole('link')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      const ids = async () => new Set((await hrefs()).map((href) => /m=([^&]+)/.exec(href)?.[1]));
      await expect.poll(ids).toEqual(new Set(messages.map(({ id }) => id)));
    };
    await page.goto('/search?q=chimney');
    await shown(inRoof, inWalls, theirs);
    await chooseOption(fieldOf(page, 'Project'), /^Walls /);
    await shown(inWalls, theirs);
    await chooseOption(fieldOf(page, 'Author'), /^mason-/);
    await shown(theirs);
    await page.reload();
    await shown(theirs);
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await shown(inRoof, inWalls, theirs);
    await fieldOf(page, 'Session').click();
    await page
      .getByRole('group', { name: /^Roof / })
      .getByRole('option', { name: 'Chat' })
      .click();
    await shown(inRoof);
    await page.goto('/search?q=chimney&before=2020-01-01');
    await shown();
    await page.getByText('No messages with “chimney”').waitFor();
    await page.getByText('Filters are on.').waitFor();

    // Deleted while it is shown.
    await page.goto(`/search?q=chimney&session=${walls.id}`);
    await shown(inWalls, theirs);
    await clientOf(stage.atrium, guest).messages.delete(walls.slug, theirs.id);
    await shown(inWalls);
  });

  it('takes from:, in:, before: and has: out of what is typed, and helps with names', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/search');
    const box = page.getByRole('searchbox', { name: 'Search messages' });
    await box.focus();
    await page.keyboard.type('from:me in:rof');
    await page.getByRole('button', { name: /^Remove filter By / }).waitFor();
    await expect.poll(() => box.inputValue()).toBe('in:rof');
    // A slip is no name, and so it is asked about.
    await page.getByRole('status').getByRole('button', { name: /^Roof/ }).click();
    await page.getByRole('button', { name: /^Remove filter Project: Roof/ }).waitFor();
    await page.getByText('Now type a word to look for').waitFor();
    await page.keyboard.type('chimney before:tomorow');
    await page.keyboard.press('Enter');
    await page.getByText('Write a day like 2026-01-31').waitFor();
    await box.fill('chimney has:link');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove filter Has: Link' }).waitFor();
    await page.getByText('No messages with “chimney”').waitFor();
    await expectAccessible(page, 'a search with operators');
    await page.getByRole('button', { name: 'Remove filter Has: Link' }).click();
    await results(page).getByText('needs sweeping').waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('chimney ');
    await page.reload();
    await results(page).getByText('needs sweeping').waitFor();
    expect(await results(page).count()).toBe(1);

    await box.fill('from:nobodyatall chimney');
    await page.getByText('Nobody here is called “nobodyatall”.').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('in:walls chimney');
    await page.getByRole('option', { name: /^Search messages for/ }).click();
    await page.getByRole('button', { name: /^Remove filter Project: Walls/ }).waitFor();
  });

  it('starts in the session it is opened from', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto(walls.path);
    await page.getByRole('button', { name: 'Session actions' }).click();
    await page.getByRole('menuitem', { name: 'Search in this session' }).click();
    await page.getByRole('button', { name: 'Remove filter Session: Chat' }).waitFor();
    await page.keyboard.type('chimney');
    await results(page).getByText('behind this wall').waitFor();
    await expect.poll(() => results(page).count()).toBe(1);
  });

  it('says in words why it finds nothing', async () => {
    const { page } = await stage.openAsOwner();
    const says = async (search: string, words: string | RegExp) => {
      await page.goto(`/search?${search}`);
      await page.getByText(words).first().waitFor();
    };
    await says(`q=${'a'.repeat(2_001)}`, /Can’t search for this text/);
    await says('q=%00', /Can’t search for this text/);
    await says('q=the', /Words such as “the” or “what” are ignored/);
    await says('q=%22%5C%22chimney+needs+mending%5C%22%22', /A phrase in quotes has to occur/);
    await says('q=%22%22%28+OR+%22%22%22', /No messages with/);
    await says(
      'q=chimney&session=cnosuchsession00000000000',
      /The project or session doesn’t exist/,
    );
    await says(`q=chimney&author=${'x'.repeat(60)}`, /Can’t search with these filters/);
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await results(page).first().waitFor();
    await expectAccessible(page, 'search results');
  });

  it('shows 20 messages, then more', async () => {
    const { page } = await stage.openAsOwner();
    await page.goto('/search?q=filler');
    await page.getByText('The 20 best matches').waitFor();
    await page.getByRole('button', { name: 'Show more messages' }).click();
    await page.getByText('These are the 100 best matches.').waitFor();
    expect(await results(page).count()).toBe(100);
  });
});
