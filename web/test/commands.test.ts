import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { composerOf, expectAccessible, say } from './harness/browser.ts';
import { createRoom, uniqueEmail, type Room } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

async function openRoom(name: string): Promise<Room & { page: Page }> {
  const room = await createRoom(stage.atrium.client, name);
  const { page } = await stage.openAsOwner();
  await page.goto(room.path);
  await composerOf(page).waitFor();
  return { ...room, page };
}

describe('a command', () => {
  it('is listed while it is typed, done with the keyboard, said and undone', async () => {
    const { page, projectId, slug, id } = await openRoom('Commands');
    const { client } = stage.atrium;
    const composer = composerOf(page);
    await composer.pressSequentially('/');
    const list = page.getByRole('listbox', { name: 'Commands' });
    await list.getByRole('option', { name: /\/remind.*in 20 minutes/ }).waitFor();
    expect(await list.getByRole('option').count()).toBe(7);
    await expectAccessible(page, 'the list of commands');
    await composer.press('ArrowDown');
    const active = await composer.getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"]`).textContent()).toContain('/task');
    await composer.press('Enter');
    expect(await composer.inputValue()).toBe('/task ');
    await page.getByText('Creates a task in this project').waitFor();
    await composer.pressSequentially('Fix the gate');
    await composer.press('Enter');
    await page.getByText('Created task #1: Fix the gate').waitFor();
    expect(await composer.inputValue()).toBe('');
    const tasks = async () => (await client.tasks.list(projectId)).items.map(({ title }) => title);
    expect(await tasks()).toEqual(['Fix the gate']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(tasks).toEqual([]);

    await say(page, '/remind me to water the plants tomorrow at 9');
    await page.getByText(/Reminder set for .*: water the plants/).waitFor();
    const [reminder] = (await client.reminders.list()).items;
    expect(new Date(reminder?.at ?? 0).getHours()).toBe(9);
    await say(page, '/remember The gate code changes in May');
    await page.getByText('Remembered for this project').waitFor();
    await say(page, '/mute');
    await page.getByText('Muted. Mentions wait').waitFor();
    expect((await client.sessions.get(slug, id)).level).toBe('NONE');
    await say(page, '/status 🌴 On leave until friday');
    await page.getByText(/Status set: 🌴 On leave until Fri/).waitFor();
    expect((await client.identity.me()).status).toMatchObject({ emoji: '🌴', text: 'On leave' });
    await say(page, '/status clear');
    await page.getByText('Status cleared').waitFor();
    const guest = await stage.atrium.addPerson(uniqueEmail('guest'));
    const { handle } = await client.org.getMember(stage.atrium.firstRun.orgId, guest.userId);
    await page.reload();
    await say(page, `/invite @${handle}`);
    await page.getByText(/Added .* to this session/).waitFor();
    const session = await client.sessions.get(slug, id);
    expect(session.participantUserIds).toContain(guest.userId);
    expect(session.lastMessageAt).toBe(null);

    await say(page, `/dm @${handle} Are you free?`);
    await page.waitForURL(/\/p\/direct\/s\//);
    await page.locator('article[data-message]').filter({ hasText: 'Are you free?' }).waitFor();
    // There, a task needs a project, and one more person makes another conversation.
    await say(page, '/task Buy bread');
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Title').inputValue()).toBe('Buy bread');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const other = await stage.atrium.addPerson(uniqueEmail('other'));
    const { handle: more } = await client.org.getMember(stage.atrium.firstRun.orgId, other.userId);
    await page.reload();
    await say(page, `/invite @${more}`);
    await page.getByRole('dialog', { name: 'New direct message' }).waitFor();
    expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(2);
  });

  it('that asks for more opens a dialog, and one that there is not is not posted without asking', async () => {
    const { page, slug, id } = await openRoom('Unknown');
    const messages = async () =>
      (await stage.atrium.client.messages.list(slug, id)).items.map(({ body }) => body);
    await say(page, '/remind call Ada');
    const when = page.getByRole('dialog', { name: 'Remind me' });
    await when.getByRole('button', { name: /In 1 hour/ }).click();
    await page.getByText('Reminder set for').waitFor();
    expect(await composerOf(page).inputValue()).toBe('');
    await say(page, '/invite nobody');
    await page.getByText('Write @ and a person after /invite').waitFor();
    expect(await composerOf(page).inputValue()).toBe('/invite nobody');

    await say(page, '/remmber this');
    const asked = page.getByRole('dialog', { name: 'Post as a message?' });
    await asked.getByText('Did you mean /remember?').waitFor();
    await expectAccessible(page, 'a command that there is not');
    await asked.getByRole('button', { name: 'Keep writing' }).click();
    expect(await composerOf(page).inputValue()).toBe('/remmber this');
    expect(await messages()).toEqual([]);
    await composerOf(page).press('Enter');
    await asked.getByRole('button', { name: 'Post message' }).click();
    await expect.poll(messages).toEqual(['/remmber this']);
    await say(page, '/etc/hosts is a path');
    await expect.poll(messages).toHaveLength(2);
  });
});
