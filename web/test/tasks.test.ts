import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { composerOf } from './harness/browser.ts';
import { clientOf } from './harness/example-team.ts';
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
    const edit = page.getByRole('button', { name: 'Edit title' });
    await edit.press('Enter');
    await page.getByLabel('Title').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Dig deep');
    await page.keyboard.press('Enter');
    await heading(page, 'Dig deep').waitFor();
    await expect
      .poll(() => edit.evaluate((button) => button === document.activeElement))
      .toBe(true);
    await page.getByLabel('Status').focus();
    await page.keyboard.type('In p');
    await expect
      .poll(async () => (await client.tasks.list(projectId, { number: 1 })).items[0])
      .toMatchObject({ title: 'Dig deep', status: 'IN_PROGRESS' });
  });

  it('is filtered by status, assignee, label, due date and words, all kept in the address', async () => {
    const { client, firstRun } = stage.atrium;
    const { slug, projectId } = await createRoom(client, 'Kitchen');
    await client.tasks.create(projectId, { title: 'Boil soup', labels: ['hot'] });
    await client.tasks.create(projectId, {
      title: 'Chop salad',
      assigneeUserId: firstRun.userId,
      dueOn: '2020-01-31',
    });
    await client.tasks.create(projectId, { title: 'Serve tea', status: 'DONE' });
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}/tasks?status=nonsense&other=1`);
    const shown = async (...titles: string[]) => {
      for (const title of ['Boil soup', 'Chop salad', 'Serve tea']) {
        const links = page.getByRole('main').getByRole('link', { name: title });
        await expect.poll(() => links.count()).toBe(titles.includes(title) ? 1 : 0);
      }
    };
    const field = (name: string) => page.getByLabel(name, { exact: true });
    const remove = (name: string) =>
      page.getByRole('button', { name: `Remove filter ${name}` }).click();
    await shown('Boil soup', 'Chop salad');
    await field('Status').selectOption('Done');
    await shown('Serve tea');
    await field('Status').selectOption('All');
    await shown('Boil soup', 'Chop salad', 'Serve tea');
    await field('Assignee').selectOption('Me');
    await shown('Chop salad');
    await remove('Assigned to me');
    await field('Due').selectOption('Overdue');
    await shown('Chop salad');
    await remove('Overdue');
    await field('Label').fill('hot');
    await page.keyboard.press('Enter');
    await shown('Boil soup');
    await remove('Label: hot');
    await page.getByRole('searchbox', { name: 'Search tasks' }).fill('serv');
    await shown('Serve tea');
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ status: 'all', q: 'serv' });
    await page.reload();
    await shown('Serve tea');
    await page.getByRole('searchbox', { name: 'Search tasks' }).fill('nowhere');
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await shown('Boil soup', 'Chop salad');
  });
});

describe('a task', () => {
  it('is edited in place, and has subtasks, a discussion, activity and an archive', async () => {
    const { client, firstRun } = stage.atrium;
    const { slug, projectId } = await createRoom(client, 'Office');
    const { id, number } = await client.tasks.create(projectId, { title: 'Buy chairs' });
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}/t/${number}`);
    await page.getByRole('button', { name: 'Edit description' }).click();
    await page.getByLabel('Description').fill('With **arms**.');
    await page.keyboard.press('Control+Enter');
    await page.locator('strong', { hasText: 'arms' }).waitFor();
    await page.getByLabel('Assignee').selectOption(firstRun.userId);
    await page.getByLabel('Priority').selectOption('High');
    await page.getByLabel('Due date').fill('2030-05-17');
    await page.getByLabel('Labels').fill('furniture');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove label furniture' }).waitFor();
    await expect
      .poll(() => client.tasks.get(projectId, id))
      .toMatchObject({
        description: 'With **arms**.',
        assigneeUserId: firstRun.userId,
        priority: 'HIGH',
        dueOn: '2030-05-17',
        labels: ['furniture'],
      });

    await page.getByRole('button', { name: 'Add subtask' }).click();
    await page.getByLabel('New subtask').fill('Measure the room');
    await page.keyboard.press('Enter');
    await page.getByText('0 of 1 done').waitFor();
    await page.getByLabel('Status').selectOption('Done');
    await page.getByText('Close the subtasks of this task first.').waitFor();
    await expect.poll(() => page.getByLabel('Status').inputValue()).toBe('TODO');

    await page.getByRole('button', { name: 'Start discussion' }).click();
    await composerOf(page).fill('What about stools?');
    await page.keyboard.press('Enter');
    await page.getByRole('article').filter({ hasText: 'stools' }).waitFor();
    const { sessionId } = await client.tasks.get(projectId, id);
    const said = async () => (await client.messages.list(slug, sessionId ?? '')).items;
    await expect.poll(said).toMatchObject([{ body: 'What about stools?' }]);

    await page.getByText('Activity').click();
    await page.getByText(/set the priority to High/).waitFor();
    await page.getByText(/created the task/).waitFor();
    await page.getByRole('button', { name: 'Task actions' }).click();
    await page.getByRole('menuitem', { name: 'Archive task' }).click();
    await page.getByText('This task is archived.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('This task is archived.').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Measure the room' }).click();
    await page.getByRole('link', { name: /Subtask of #1/ }).waitFor();
    await page.goto(`/p/${slug}/t/99`);
    await heading(page, 'Task not found').waitFor();
  });

  it('that someone else changed meanwhile says so, shows the newest, and loses neither', async () => {
    const { client } = stage.atrium;
    const { slug, projectId } = await createRoom(client, 'Race');
    const { id, number } = await client.tasks.create(projectId, { title: 'Draft' });
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}/t/${number}`);
    await page.getByRole('button', { name: 'Edit title' }).click();
    await page.getByLabel('Title').fill('My title');
    // Another field: nothing is lost, so nothing is asked.
    await client.tasks.update(projectId, id, { priority: 'LOW' });
    await page.keyboard.press('Enter');
    await heading(page, 'My title').waitFor();
    expect((await client.tasks.get(projectId, id)).priority).toBe('LOW');
    await page.getByRole('button', { name: 'Edit title' }).click();
    await page.getByLabel('Title').fill('My second title');
    await client.tasks.update(projectId, id, { title: 'Their title' });
    await page.keyboard.press('Enter');
    const note = page.getByRole('alert');
    await note.getByText(/Someone else changed the title/).waitFor();
    await note.getByText('Their title').waitFor();
    expect((await client.tasks.get(projectId, id)).title).toBe('Their title');
    await page.getByRole('button', { name: 'Replace with my text' }).click();
    await heading(page, 'My second title').waitFor();
    expect((await client.tasks.get(projectId, id)).title).toBe('My second title');
  });
});

describe('tasks and messages', () => {
  it('a message becomes a task, and #12 links to one, outside code and addresses', async () => {
    const { client } = stage.atrium;
    const { slug, projectId, id, path } = await createRoom(client, 'Talk');
    await client.messages.post(slug, id, { body: 'We should **paint** the fence.\nSoon.' });
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    await page.getByRole('article').first().hover();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Make a task' }).click();
    const title = page.getByRole('dialog').getByLabel('Title');
    await expect.poll(() => title.inputValue()).toBe('We should paint the fence.');
    await page.getByRole('button', { name: 'Create task' }).click();
    await page.getByRole('article').getByRole('link', { name: '#1' }).click();
    await heading(page, 'We should paint the fence.').waitFor();
    const [task] = (await client.tasks.list(projectId)).items;
    await page.getByRole('link', { name: /Made from a message/ }).click();
    await page.getByRole('article').filter({ hasText: 'fence' }).waitFor();
    expect(new URL(page.url()).searchParams.get('m')).toBe(task?.sourceMessageId);

    await client.messages.post(slug, id, {
      body: 'See #1, not `#2`, a#3, http://127.0.0.1/x#4 or ##5.',
    });
    const article = page.getByRole('article').filter({ hasText: 'See #1' });
    await article.getByRole('link', { name: '#1' }).waitFor();
    expect(await article.getByRole('link', { name: /^#/ }).count()).toBe(1);
    const session = await client.tasks.openSession(projectId, task?.id ?? '');
    await page.goto(`/p/${slug}/s/${session.id}`);
    await composerOf(page).waitFor();
    await page.getByRole('link', { name: 'Go to task #1' }).click();
    await heading(page, 'We should paint the fence.').waitFor();
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
    await page.getByLabel('Status').selectOption('Done');
    await expect
      .poll(async () => (await client.tasks.list(two.projectId, { number: 1 })).items[0]?.status)
      .toBe('DONE');
    await page.getByRole('link', { name: 'My tasks' }).click();
    await page.getByText('Some day').waitFor();
    await expect.poll(() => page.getByText('Long ago').count()).toBe(0);
  });
});
