import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './harness/browser.ts';
import { chooseDay, chooseOption, fieldOf } from './harness/fields.ts';
import { createRoom, unique, uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

describe('archiving', () => {
  it('a session is undone at once or later, and is offered only to people who may', async () => {
    const room = await createRoom(stage.atrium.client, 'Archive');
    const { page } = await stage.openAsOwner();
    await page.goto(room.path);
    const actions = page.getByRole('button', { name: 'Session actions' });
    const status = async () => (await stage.atrium.client.sessions.get(room.slug, room.id)).status;
    await actions.click();
    await page.getByRole('menuitem', { name: 'Archive session' }).click();
    await page.getByText('This session is archived.').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('This session is archived.').first().waitFor({ state: 'detached' });
    expect(await status()).toBe('ACTIVE');

    await stage.atrium.client.sessions.archive(room.slug, room.id);
    await page.getByRole('button', { name: 'Restore session' }).click();
    await page.getByText('This session is archived.').first().waitFor({ state: 'detached' });
    expect(await status()).toBe('ACTIVE');

    const person = await stage.atrium.addPerson(uniqueEmail('reader'));
    const member = await stage.open({ person });
    await member.page.goto(room.path);
    await member.page.getByRole('button', { name: 'Session actions' }).click();
    await member.page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    expect(await member.page.getByRole('menuitem', { name: /rchive/ }).count()).toBe(0);
  });

  it('a project is undone from the toast, and restored from its own page', async () => {
    const { client } = stage.atrium;
    const project = await client.projects.create({ name: unique('Attic') });
    await client.sessions.create(project.slug, { name: 'Boxes' });
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${project.slug}`);
    await page.getByRole('button', { name: 'Project actions' }).click();
    await page.getByRole('menuitem', { name: 'Archive project' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive project' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`${project.name} restored`).waitFor();
    expect((await client.projects.get(project.id)).archivedAt).toBeNull();

    await client.projects.archive(project.id);
    await page.goto(`/p/${project.slug}`);
    await page.getByRole('button', { name: 'Restore project' }).click();
    await page.getByRole('button', { name: 'Start session', exact: true }).first().waitFor();
    expect((await client.projects.get(project.id)).archivedAt).toBeNull();
  });
});

describe('the organisation', () => {
  it('is renamed by its owner, and a member sees it at once, and says what to be called', async () => {
    const email = uniqueEmail('newcomer');
    const theirs = await stage.open({ person: await stage.atrium.addPerson(email) });
    await theirs.page.goto('/');
    const { page } = await stage.openAsOwner();
    await page.goto('/settings/organisation');
    const name = unique('Acme');
    await page.getByLabel('Organisation name').fill(name);
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByRole('button', { name: new RegExp(name) }).waitFor();
    await theirs.page.getByRole('button', { name: new RegExp(name) }).waitFor();

    await theirs.page.getByLabel('Your name').fill('Nia Newcomer');
    await theirs.page.getByRole('button', { name: 'Save name' }).click();
    await theirs.page.getByText('What should people call you?').waitFor({ state: 'detached' });
    const { items } = await stage.atrium.client.org.listMembers(stage.atrium.firstRun.orgId);
    expect(items.find((member) => member.email === email)?.name).toBe('Nia Newcomer');
    await theirs.page.goto('/settings/organisation');
    await theirs.page.getByText('Only owners and admins can change the organisation').waitFor();
    expect(await theirs.page.getByLabel('Organisation name').isDisabled()).toBe(true);
  });
});

describe('the audit log', () => {
  it('names what changed, filters all of it, and is downloaded as CSV', async () => {
    const { client } = stage.atrium;
    const name = unique('Audited');
    const project = await client.projects.create({ name });
    const session = await client.sessions.create(project.slug, { name: unique('Minutes') });
    const { page } = await stage.openAsOwner();
    await page.goto('/settings/audit');
    await page.getByText(`Session created: ${session.name}`).waitFor();
    await fieldOf(page, 'What').press('p');
    await page.getByRole('listbox', { name: 'What' }).waitFor();
    await expectAccessible(page, 'an open select');
    await page.keyboard.press('Escape');
    await chooseOption(fieldOf(page, 'What'), 'Project');
    await page.getByText(`Session created: ${session.name}`).waitFor({ state: 'detached' });
    await page.getByText(`Project created: ${name}`).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const csv = await readFile(await (await download).path(), 'utf8');
    expect(csv).toContain(`Project created,${name},project.created,${project.id}`);
    expect(csv).not.toContain('Session created');
    await fieldOf(page, 'From').click();
    await page.getByRole('grid').waitFor();
    await expectAccessible(page, 'an open day field');
    await page.keyboard.press('Escape');
    await chooseDay(fieldOf(page, 'To'), '2020-01-01');
    await page.getByText('Nothing matches').waitFor();
  });
});
