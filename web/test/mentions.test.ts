import { describe, expect, it } from 'vitest';
import { makePng } from '../../server/test/harness/images.ts';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { clientOf, handleOf } from './harness/example-team.ts';
import { chooseOption, fieldOf } from './harness/fields.ts';
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
    const form = page.getByRole('form', { name: 'Write a message' });
    await form.getByText(/has no access to this project\./).waitFor();
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

describe('a mention that reaches nobody', () => {
  async function openWithNames() {
    const { client } = stage.atrium;
    const rules = { access: 'MEMBERS', broadcasts: 'NOBODY' } as const;
    const project = await client.projects.create({ name: unique('Named'), ...rules });
    const people = [];
    for (const name of ['Berta Lind', 'Carla Ost', 'Carla West']) {
      const person = await stage.atrium.addPerson(uniqueEmail('named'));
      await clientOf(stage.atrium, person).identity.update({ name });
      await client.projects.addMember(project.id, person.userId);
      people.push(person);
    }
    const session = await client.sessions.create(project.slug, { name: 'Chat' });
    return { people, path: `/p/${project.slug}/s/${session.id}` };
  }

  it('is said before sending, with the right handle to pick, and is never shown as one', async () => {
    const { people, path } = await openWithNames();
    const [berta, carla] = people;
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    const composer = composerOf(page);
    const form = page.getByRole('form', { name: 'Write a message' });
    await composer.pressSequentially('@Berta, look');
    await form.getByText('Notifies Berta Lind').waitFor();
    await composer.press('Enter');
    const mention = page.getByRole('button', { name: '@Berta', exact: true });
    await mention.waitFor();
    const inbox = clientOf(stage.atrium, berta!).notifications;
    await expect.poll(async () => (await inbox.list()).unreadTotal).toBe(1);

    await composer.pressSequentially('@Carla can you? @here');
    await form.getByText('2 people here are called Carla').waitFor();
    await form.getByText('@here notifies nobody').waitFor();
    await expectAccessible(page, 'a composer that says who is not reached');
    await form.getByRole('button', { name: /Carla Ost/ }).click();
    const handle = await handleOf(stage.atrium, carla!);
    expect(await composer.inputValue()).toBe(`@${handle} can you? @here`);
    await form.getByText('2 people here').waitFor({ state: 'detached' });
    await composer.press('Enter');
    const sent = page.getByRole('article').filter({ hasText: 'can you?' });
    await sent.getByRole('button', { name: `@${handle}` }).waitFor();
    const looks = await sent
      .locator('.bg-accent-soft')
      .evaluateAll((shown) => shown.map(({ textContent }) => textContent));
    expect(looks).toEqual([`@${handle}`]);
  });
});

describe('@everyone', () => {
  it('is offered, counted before sending, asked for above 20 people, and shown as a mention', async () => {
    const { inside, path } = await openPrivateRoom();
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    const composer = composerOf(page);
    const form = page.getByRole('form', { name: 'Write a message' });
    await composer.pressSequentially('@eve');
    await page.getByRole('option', { name: /@everyone.*1 person/ }).waitFor();
    await expectAccessible(page, 'a list with a group to mention');
    await composer.press('Enter');
    await composer.pressSequentially('lunch?');
    await form.getByText('Notifies 1 person in this session').waitFor();
    await composer.press('Enter');
    const sent = page.locator('article[data-message]').filter({ hasText: 'lunch?' });
    await sent.locator('.bg-accent-soft', { hasText: '@everyone' }).waitFor();
    const inbox = clientOf(stage.atrium, inside).notifications;
    await expect.poll(async () => (await inbox.list()).items[0]?.kind).toBe('BROADCAST');

    const many = { mayBroadcast: true, here: 1, everyone: 34 };
    await page.route(/\/reach$/, (route) => route.fulfill({ json: { success: true, data: many } }));
    await composer.fill('@everyone again');
    await composer.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Notify 34 people?' });
    await dialog.waitFor();
    await expectAccessible(page, 'a question before many people are notified');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await composer.inputValue()).toBe('@everyone again');
    await composer.press('Enter');
    await dialog.getByRole('button', { name: 'Notify 34 people' }).click();
    await page.locator('article[data-message]').filter({ hasText: '@everyone again' }).waitFor();
    expect(await composer.inputValue()).toBe('');
  });

  it('is not offered where only admins may, and people are told so', async () => {
    const { inside, path, slug } = await openPrivateRoom();
    const { client } = stage.atrium;
    const { page: settings } = await stage.openAsOwner();
    await settings.goto(`/p/${slug}`);
    await settings.getByRole('button', { name: 'Project actions' }).click();
    await settings.getByRole('menuitem', { name: 'Edit project' }).click();
    await settings.getByRole('radio', { name: /Only admins/ }).check();
    await settings.getByRole('button', { name: 'Save changes' }).click();
    await settings.getByRole('dialog').waitFor({ state: 'detached' });
    const [project] = (await client.projects.list({ slug })).items;
    expect(project?.broadcasts).toBe('ADMINS');

    const { page } = await stage.open({ person: inside });
    await page.goto(path);
    await composerOf(page).pressSequentially('@every');
    const option = page.getByRole('option', { name: /@everyone/ });
    await option.getByText('only admins can use it').waitFor();
    expect(await option.getAttribute('aria-disabled')).toBe('true');
    await composerOf(page).fill('@everyone hello');
    const form = page.getByRole('form', { name: 'Write a message' });
    await form.getByText('@everyone notifies nobody: only admins').waitFor();
    await composerOf(page).press('Enter');
    const sent = page.locator('article[data-message]').filter({ hasText: '@everyone hello' });
    await sent.waitFor();
    expect(await sent.locator('.bg-accent-soft').count()).toBe(0);
  });
});

describe('a person', () => {
  it('sets photo, title and status, which others see at once, with who is there', async () => {
    const { inside, path, slug } = await openPrivateRoom();
    const sessionId = path.split('/').at(-1) ?? '';
    const ours = await stage.openAsOwner();
    const theirs = await stage.open({ person: inside });
    await clientOf(stage.atrium, inside).messages.post(slug, sessionId, { body: 'Good morning' });
    await ours.page.goto(path);
    const name = ours.page.locator('article').getByRole('button').filter({ visible: true }).first();
    await name.waitFor();

    await theirs.page.goto('/settings/profile');
    await theirs.page.getByLabel('Title').fill('Head of research');
    await chooseOption(fieldOf(theirs.page, 'Time zone'), 'Asia/Tokyo');
    await theirs.page.getByRole('button', { name: 'Save', exact: true }).click();
    await theirs.page.getByText('Saved').first().waitFor();
    const file = { name: 'me.png', mimeType: 'image/png', buffer: makePng(900, 600) };
    await theirs.page.locator('input[type=file]').setInputFiles(file);
    await theirs.page.getByRole('button', { name: 'Remove photo' }).waitFor();
    await expectAccessible(theirs.page, 'the profile settings with a photo');

    const isLoaded = (image: HTMLImageElement) => image.complete && image.naturalWidth;
    const photo = ours.page.locator('article img').first();
    await photo.waitFor();
    await expect.poll(() => photo.evaluate(isLoaded)).toBe(256);

    await theirs.page.getByRole('button', { name: inside.email }).click();
    await theirs.page.getByRole('menuitem', { name: 'Set a status' }).click();
    await theirs.page.getByRole('button', { name: /In a meeting/ }).click();
    await expectAccessible(theirs.page, 'the dialog for a status');
    await theirs.page.getByRole('button', { name: 'Set status' }).click();
    const mark = ours.page.locator('article').getByRole('img', { name: 'Status: In a meeting' });
    await mark.waitFor();

    await ours.page.locator('article [data-person]').last().click();
    const card = ours.page.getByRole('dialog').filter({ hasText: 'Head of research' });
    for (const text of ['Active', 'In a meeting', 'local time'])
      await card.getByText(text).waitFor();
    await expectAccessible(ours.page, 'the card of a person');
    const lines = Array.from({ length: 12 }, (_, at) => `Line ${at}`).join('\n\n');
    await clientOf(stage.atrium, inside).messages.post(slug, sessionId, { body: lines });
    await ours.page.getByText('Line 11', { exact: true }).waitFor();
    expect(await card.isVisible()).toBe(true);
    await ours.page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await ours.page.keyboard.press('Enter');
    for (const _action of ['Message', 'Tasks']) await ours.page.keyboard.press('Tab');
    await ours.page.keyboard.press('Enter');
    await ours.page.getByRole('heading', { name: /^Tasks of / }).waitFor();
    await card.waitFor({ state: 'detached' });

    await ours.page.goto('/settings/members');
    const row = ours.page.getByRole('listitem').filter({ hasText: inside.email });
    await row.getByText('Active').waitFor();
    await expectAccessible(ours.page, 'members with photos, statuses and who is there');
    await stage.atrium.client.org.removeMember(stage.atrium.firstRun.orgId, inside.userId);
    await row.waitFor({ state: 'detached' });
  });

  it('loses a status at its end, on pages that are open, and is away after five minutes', async () => {
    const { inside, path, slug } = await openPrivateRoom();
    const sessionId = path.split('/').at(-1) ?? '';
    const client = clientOf(stage.atrium, inside);
    await client.messages.post(slug, sessionId, { body: 'Back soon' });
    const { page } = await stage.openAsOwner();
    await page.clock.install();
    await page.goto(path);
    const until = new Date(Date.now() + 300_000).toISOString();
    await client.identity.update({ status: { emoji: '☕', text: 'At the machine', until } });
    const mark = page.getByRole('img', { name: 'Status: At the machine' });
    await mark.waitFor();
    const { userId } = await stage.atrium.owner();
    const presence = async () =>
      (await client.org.getMember(stage.atrium.firstRun.orgId, userId)).presence;
    await expect.poll(presence).toBe('ACTIVE');
    // What the person does is followed once the page has settled.
    const activeAt = () => page.evaluate(() => localStorage.getItem('atrium.active-at'));
    await expect.poll(activeAt).not.toBeNull();
    await page.clock.fastForward(301_000);
    await mark.waitFor({ state: 'detached' });
    await expect.poll(presence).toBe('AWAY');
    await page.mouse.move(50, 50);
    await expect.poll(presence).toBe('ACTIVE');
  });
});
