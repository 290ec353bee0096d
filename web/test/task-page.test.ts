import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { chooseOption, fieldOf } from './harness/fields.ts';
import { createRoom, uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describe('a task', () => {
  it('opened by its address shows whom it is assigned to', async () => {
    const { client } = stage.atrium;
    const { slug, projectId } = await createRoom(client, 'Post');
    const ravi = await stage.atrium.addPerson(uniqueEmail('ravi'));
    const task = { title: 'Send letters', assigneeUserId: ravi.userId };
    await client.tasks.create(projectId, task);
    const { items } = await client.projects.listMembers(projectId);
    const name = items.find(({ userId }) => userId === ravi.userId)?.name ?? '';
    const { page } = await stage.openAsOwner();
    // The choice arrives after the name of whoever is chosen.
    const held = Promise.withResolvers<void>();
    await page.route('**/projects/*/members', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`/p/${slug}/t/1`);
    await fieldOf(page, 'Assignee').getByText(name).waitFor();
    held.resolve();
    await fieldOf(page, 'Assignee').click();
    const list = page.getByRole('listbox', { name: 'Assignee' });
    await list.getByRole('option', { name, selected: true }).waitFor();
  });

  it('is edited in place, and has subtasks, a discussion, activity and an archive', async () => {
    const { client } = stage.atrium;
    const { slug, projectId, id: roomId } = await createRoom(client, 'Office');
    const { id, number } = await client.tasks.create(projectId, { title: 'Buy chairs' });
    await client.messages.post(slug, roomId, { body: 'We buy 1 chair.' });
    await client.messages.post(slug, roomId, { body: 'Is **#1** urgent?' });
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}/t/${number}`);
    const related = page.getByRole('list', { name: 'Related messages' }).getByRole('link');
    await related.getByText('Is #1 urgent?').waitFor();
    expect(await related.count()).toBe(1);
    await page.getByRole('button', { name: 'Add a description…' }).click();
    await page.getByLabel('Description').fill('With **arms**.');
    // Leaving it saves.
    await page.getByRole('heading', { name: 'Activity' }).click();
    await page.locator('strong', { hasText: 'arms' }).click();
    await page.getByLabel('Description').fill('With nothing.');
    await page.keyboard.press('Escape');
    await page.getByText('Changes to the description discarded').waitFor();
    await page.locator('strong', { hasText: 'arms' }).waitFor();
    await chooseOption(fieldOf(page, 'Priority'), 'High');
    await fieldOf(page, 'Due date').click();
    await page.getByRole('option', { name: 'Tomorrow' }).waitFor();
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.getByRole('gridcell').getByRole('button').nth(10).click();
    await expect
      .poll(() => client.tasks.get(projectId, id))
      .toMatchObject({
        description: 'With **arms**.',
        priority: 'HIGH',
        dueOn: expect.stringMatching(/^\d{4}-/) as string,
      });

    await page.getByRole('button', { name: 'Add subtask' }).click();
    await page.getByLabel('New subtask').fill('Measure the room');
    await page.keyboard.press('Enter');
    await page.getByText('0 of 1 done').waitFor();
    await page.getByLabel('New subtask').press('Escape');
    await chooseOption(fieldOf(page, 'Status'), 'Done');
    await page.getByText('Close the subtasks of this task first.').waitFor();
    await fieldOf(page, 'Status').getByText('To do').waitFor();
    const measured = page.getByRole('checkbox', { name: '#2 Measure the room is done' });
    await measured.click();
    await page.getByText('1 of 1 done').waitFor();

    await composerOf(page).fill('What about stools?');
    await page.keyboard.press('Enter');
    await page.getByRole('article').filter({ hasText: 'stools' }).waitFor();
    const { sessionId } = await client.tasks.get(projectId, id);
    const said = async () => (await client.messages.list(slug, sessionId ?? '')).items;
    await expect.poll(said).toMatchObject([{ body: 'What about stools?' }]);

    // What happened and what was said, in the order of time.
    await client.tasks.update(projectId, id, { status: 'IN_REVIEW' });
    const stream = page.getByRole('region', { name: 'Activity' });
    await stream.getByText(/moved it from To do to In review/).waitFor();
    const texts = (await stream.innerText()).replaceAll(/\s+/g, ' ');
    expect(texts).toMatch(/created the task.*priority to High.*stools.*to In review/);
    await expectAccessible(page, 'a task with everything');
    await page.getByRole('button', { name: 'Copy branch name' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('1-buy-chairs');
    await page.getByRole('button', { name: 'Task actions' }).click();
    await page.getByRole('menuitem', { name: 'Archive task' }).click();
    await page.getByText('This task is archived.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
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
    await heading(page, 'Draft').getByRole('button').click();
    await page.getByLabel('Title').fill('My title');
    // Another field: nothing is lost, so nothing is asked.
    await client.tasks.update(projectId, id, { priority: 'LOW' });
    await page.keyboard.press('Enter');
    await heading(page, 'My title').waitFor();
    expect((await client.tasks.get(projectId, id)).priority).toBe('LOW');
    await heading(page, 'My title').getByRole('button').click();
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

describe('the dialog for new tasks', () => {
  it('asks for everything by keys, creates one after the other, and keeps what was begun', async () => {
    const { client, firstRun } = stage.atrium;
    const { slug, projectId } = await createRoom(client, 'Studio');
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}/tasks`);
    await page.getByText(/Press c to create one/).waitFor();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'New task' });
    await dialog.getByLabel('Title').fill('Paint');
    await dialog.getByLabel('Description').fill('All of it.');
    await page.keyboard.press('Alt+p');
    await dialog.getByRole('listbox', { name: 'Priority' }).waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('Alt+a');
    await dialog.getByRole('option', { name: /You$/ }).click();
    await page.keyboard.press('Alt+d');
    await dialog.getByRole('option', { name: 'Tomorrow' }).click();
    await expectAccessible(page, 'the dialog for new tasks');
    // Closed by accident.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText(/Press c to create one/).waitFor();
    await page.keyboard.press('c');
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('Paint');
    await dialog.getByText('This is what you began before.').waitFor();
    await dialog.getByLabel('Create more').check();
    await dialog.getByLabel('Description').press('Control+Enter');
    await dialog.getByText('Task #1 created').waitFor();
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('');
    await page.keyboard.type('Frame');
    await page.keyboard.press('Enter');
    await dialog.getByText('Task #2 created').waitFor();
    await page.keyboard.press('Escape');
    const { items } = await client.tasks.list(projectId);
    const shared = { priority: 'URGENT', assigneeUserId: firstRun.userId };
    expect(items).toMatchObject([
      { title: 'Paint', description: 'All of it.', ...shared },
      { title: 'Frame', description: null, ...shared },
    ]);
    await page.keyboard.press('c');
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('');
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

  it('proposed tasks are accepted and declined in the conversation where they were made', async () => {
    const { client } = stage.atrium;
    const { slug, projectId, id, path } = await createRoom(client, 'Talk');
    const { id: sourceMessageId } = await client.messages.post(slug, id, { body: 'Plan it.' });
    for (const title of ['Dig', 'Plant']) {
      await client.tasks.create(projectId, { title, status: 'PROPOSED', sourceMessageId });
    }
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    const made = page.getByRole('article').getByRole('list', { name: 'Tasks' });
    const [dig, plant] = ['Dig', 'Plant'].map((title) =>
      made.getByRole('listitem').filter({ hasText: title }),
    );
    await dig?.getByText('Proposed').waitFor();
    await expectAccessible(page, 'a message with proposed tasks');
    await dig?.getByRole('button', { name: 'Accept task' }).click();
    await page.getByText('1 task accepted').waitFor();
    await dig?.getByText('Proposed').waitFor({ state: 'detached' });
    await plant?.getByRole('button', { name: 'Decline task' }).click();
    await plant?.getByText('Proposed').waitFor({ state: 'detached' });
    const { items } = await client.tasks.list(projectId);
    expect(items.map(({ status }) => status)).toEqual(['TODO', 'CANCELLED']);
  });
});
