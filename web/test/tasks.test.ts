import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { clientOf } from './harness/example-team.ts';
import { chooseOption, fieldOf } from './harness/fields.ts';
import { createRoom, uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describe('the list of tasks', () => {
  it('teaches when it is empty, and creates, opens and changes tasks by keyboard alone', async () => {
    const { client } = stage.atrium;
    const { slug, projectId } = await createRoom(client, 'Garden');
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}`);
    await page.getByRole('main').getByRole('link', { name: 'Tasks' }).press('Enter');
    await page.getByText(/Press c to create one/).waitFor();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'New task' });
    const title = dialog.getByLabel('Title');
    await title.waitFor();
    await page.evaluate('navigator.clipboard.writeText("Dig\\n\\n  Plant \\nWater")');
    await title.press('Control+v');
    await dialog.getByRole('button', { name: 'Create 3 tasks' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Water' }).waitFor();
    const list = async () => (await client.tasks.list(projectId)).items;
    expect((await list()).map((task) => `${task.number} ${task.title}`)).toEqual([
      '1 Dig',
      '2 Plant',
      '3 Water',
    ]);

    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await heading(page, 'Dig').waitFor();
    await heading(page, 'Dig').getByRole('button').press('Enter');
    await page.getByLabel('Title').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Dig deep');
    await page.keyboard.press('Enter');
    const edit = heading(page, 'Dig deep').getByRole('button');
    await expect
      .poll(() => edit.evaluate((button) => button === document.activeElement))
      .toBe(true);
    // From here on, single keys: a status, a priority by its number, oneself, a day in words, a new label.
    const open = async (key: string, name: string) => {
      await page.keyboard.press(key);
      await page.getByRole('dialog', { name }).waitFor();
      return page.getByRole('listbox', { name });
    };
    const statuses = await open('s', 'Status');
    await page.keyboard.type('in p');
    await expect.poll(() => statuses.getByRole('option').allTextContents()).toHaveLength(1);
    await page.keyboard.press('Enter');
    await fieldOf(page, 'Status').filter({ hasText: 'In progress' }).waitFor();
    await open('p', 'Priority');
    await page.keyboard.press('2');
    await open('a', 'Assignee');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await open('d', 'Due date');
    await page.keyboard.type('17 may 2030');
    await page.keyboard.press('Enter');
    await open('l', 'Labels');
    await page.keyboard.type('earth');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await expect
      .poll(async () => (await client.tasks.list(projectId, { number: 1 })).items[0])
      .toMatchObject({
        title: 'Dig deep',
        status: 'IN_PROGRESS',
        priority: 'HIGH',
        assigneeUserId: stage.atrium.firstRun.userId,
        dueOn: '2030-05-17',
        labels: ['earth'],
      });
    await page.keyboard.press('j');
    await heading(page, 'Plant').waitFor();
    await page.getByText('2 of 3').waitFor();
    await page.keyboard.press('k');
    await heading(page, 'Dig deep').waitFor();
  });

  it('says which tasks are subtasks', async () => {
    const { client } = stage.atrium;
    const { slug, projectId } = await createRoom(client, 'Cellar');
    const parent = await client.tasks.create(projectId, { title: 'Store apples' });
    const part = { title: 'Pick apples', parentTaskId: parent.id };
    await client.tasks.create(projectId, part);
    const { page } = await stage.openAsOwner({ size: { width: 1280, height: 800 } });
    await page.goto(`/p/${slug}/tasks`);
    const row = page.getByRole('listitem').filter({ hasText: 'Pick apples' });
    await row.getByText('Subtask of #1').waitFor();
    expect(await page.getByText(/Subtask of/).count()).toBe(1);
  });

  it('as a board fits beside the sidebar, and shows that there is more if it can’t', async () => {
    const { client } = stage.atrium;
    const { slug, projectId } = await createRoom(client, 'Board');
    const parent = await client.tasks.create(projectId, { title: 'Ants' });
    await client.tasks.create(projectId, { title: 'Bees', parentTaskId: parent.id });
    const { page } = await stage.openAsOwner({ size: { width: 1440, height: 900 } });
    await page.goto(`/p/${slug}/tasks/board`);
    await page
      .locator('[data-card]')
      .filter({ hasText: 'Bees' })
      .getByText('Subtask of #1')
      .waitFor();
    const board = page.locator('[data-board]');
    const hidden = () => board.evaluate((box) => box.scrollWidth - box.clientWidth);
    expect(await hidden()).toBe(0);
    const more = (side: string) => page.locator(`[data-more="${side}"]`);
    expect(await page.locator('[data-more]').count()).toBe(0);
    await page.setViewportSize({ width: 1024, height: 768 });
    await expect.poll(hidden).toBeGreaterThan(0);
    await more('right').waitFor();
    expect(await more('left').count()).toBe(0);
    await board.evaluate((box) => box.scrollTo({ left: box.scrollWidth }));
    await more('left').waitFor();
    await more('right').waitFor({ state: 'detached' });
  });
});

describe('a notification about a task', () => {
  it('is read by looking at the task, and leads there from the inbox', async () => {
    const { client } = stage.atrium;
    const person = await stage.atrium.addPerson(uniqueEmail('ines'));
    const { slug, projectId } = await createRoom(client, 'News');
    const task = { title: 'Water the plants', assigneeUserId: person.userId };
    await client.tasks.create(projectId, task);
    const theirs = { title: 'Buy a can' };
    const { id } = await clientOf(stage.atrium, person).tasks.create(projectId, theirs);
    const { page } = await stage.open({ person });
    await page.goto('/tasks');
    const inbox = page.getByRole('link', { name: /^Inbox/ });
    await inbox.getByText('1 unread').waitFor();
    await page.getByRole('link', { name: 'Water the plants' }).click();
    await inbox.getByText('1 unread').waitFor({ state: 'detached' });
    await inbox.click();
    await client.tasks.update(projectId, id, { status: 'DONE' });
    await page.getByRole('link', { name: /^Unread: .* finished a task of yours$/ }).waitFor();
    await page.getByText('#1 Water the plants', { exact: true }).waitFor();
    await page.getByRole('link', { name: / assigned you a task$/ }).click();
    await heading(page, 'Water the plants').waitFor();
    expect(new URL(page.url()).pathname).toBe(`/p/${slug}/t/1`);
  });
});

describe('my tasks', () => {
  it('lists what is assigned to the person in all projects, by what is due', async () => {
    const { client, firstRun } = stage.atrium;
    const { userId: assigneeUserId } = firstRun;
    const one = await createRoom(client, 'One');
    const two = await createRoom(client, 'Two');
    await client.tasks.create(one.projectId, { title: 'Some day', assigneeUserId });
    const due = { title: 'Long ago', assigneeUserId, dueOn: '2020-01-01' };
    await client.tasks.create(two.projectId, due);
    await client.tasks.create(two.projectId, { title: 'Of nobody' });
    const done = { title: 'Finished', assigneeUserId, status: 'DONE' as const };
    await client.tasks.create(two.projectId, done);
    const { page } = await stage.openAsOwner();
    await page.goto('/');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.evaluate('document.activeElement?.blur()');
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await heading(page, 'My tasks').waitFor();
    await page.getByRole('list', { name: 'Overdue' }).getByText('Long ago').waitFor();
    await page.getByRole('list', { name: 'No due date' }).getByText('Some day').waitFor();
    expect(await page.getByText('Of nobody').count()).toBe(0);
    expect(await page.getByText('Finished').count()).toBe(0);
    await page.getByRole('link', { name: 'Long ago' }).click();
    // The list has a field of that name too.
    await heading(page, 'Long ago').waitFor();
    await chooseOption(fieldOf(page, 'Status'), 'Done');
    await expect
      .poll(async () => (await client.tasks.list(two.projectId, { number: 1 })).items[0]?.status)
      .toBe('DONE');
    await page.getByRole('link', { name: 'My tasks' }).click();
    await page.getByText('Some day').waitFor();
    await expect.poll(() => page.getByText('Long ago').count()).toBe(0);
  });
});
