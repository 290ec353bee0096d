import { describe, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { clientOf, handleOf } from './harness/example-team.ts';
import { unique, uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

/** A session that one of two people has access to. */
async function openPrivateRoom() {
  const { client } = stage.atrium;
  const inside = await stage.atrium.addPerson(uniqueEmail('inga'));
  const outside = await stage.atrium.addPerson(uniqueEmail('otto'));
  const project = await client.projects.create({ name: unique('Closed'), access: 'MEMBERS' });
  await client.projects.addMember(project.id, inside.userId);
  const session = await client.sessions.create(project.slug, { name: 'Chat' });
  return { inside, outside, slug: project.slug, path: `/p/${project.slug}/s/${session.id}` };
}

describe('typing @', () => {
  it('suggests the people of the project first, and greys out others, saying why', async () => {
    const { inside, outside, path } = await openPrivateRoom();
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    await composerOf(page).pressSequentially('@');
    const options = page.getByRole('option');
    const handleInside = await handleOf(stage.atrium, inside);
    await expect.poll(() => options.first().textContent()).toContain(handleInside);
    const name = outside.email.split('@', 1)[0] ?? '';
    const greyed = page.getByRole('option', { name: new RegExp(name) });
    await composerOf(page).pressSequentially(name.slice(0, 6));
    await greyed.getByText('has no access to this project').waitFor();
    expect(await greyed.getAttribute('aria-disabled')).toBe('true');
    await expectAccessible(page, 'suggestions that cannot be chosen');
    // It can't be chosen, so Enter sends what was typed, and the page says that it reached nobody.
    await greyed.click({ force: true });
    expect(await composerOf(page).inputValue()).toBe(`@${name.slice(0, 6)}`);
    const handle = await handleOf(stage.atrium, outside);
    await composerOf(page).fill(`@${handle} look`);
    await page.keyboard.press('Enter');
    await page
      .getByText(/can’t read this session and was not notified/)
      .filter({ visible: true })
      .first()
      .waitFor();
    expect((await clientOf(stage.atrium, outside).notifications.list()).unreadTotal).toBe(0);
  });
});

describe('a mention', () => {
  it('stands out, more so one’s own, and has a card by pointer and by keyboard', async () => {
    const { inside, path, slug } = await openPrivateRoom();
    const handle = await handleOf(stage.atrium, inside);
    const sessionId = path.split('/').at(-1) ?? '';
    const { client } = stage.atrium;
    const owner = await handleOf(stage.atrium, await stage.atrium.owner());
    const body = `@${handle} and \`@${handle}\`, hello from @${owner}`;
    await client.messages.post(slug, sessionId, { body });
    const ours = await stage.openAsOwner();
    await ours.page.goto(path);
    const mention = ours.page.getByRole('button', { name: `@${handle}` });
    await mention.waitFor();
    expect(await mention.count()).toBe(1);
    expect(await mention.getAttribute('aria-description')).toContain('Member');

    const card = ours.page.locator('[popover]').filter({ hasText: `@${handle}` });
    await mention.hover();
    await card.getByText('Member').waitFor();
    expect(await card.textContent()).not.toContain('Closed');
    await expectAccessible(ours.page, 'a session with the card of a person');
    await ours.page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await ours.page.mouse.move(0, 0);
    await ours.page.keyboard.press('Shift+Tab');
    for (let tabs = 0; tabs < 12 && !(await card.isVisible()); tabs++) {
      await ours.page.keyboard.press('Shift+Tab');
    }
    await card.getByText('Member').waitFor();

    const theirs = await stage.open({ person: inside, theme: 'dark' });
    await theirs.page.goto(path);
    const own = theirs.page.getByRole('button', { name: `@${handle}` });
    await own.waitFor();
    const look = (element: Element) => getComputedStyle(element).backgroundColor;
    const other = theirs.page.getByRole('button', { name: `@${owner}` });
    expect(await own.evaluate(look)).not.toBe(await other.evaluate(look));
    await expectAccessible(theirs.page, 'a session with an own mention, dark');
  });
});
