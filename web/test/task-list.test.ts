import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './harness/browser.ts';
import { createRoom, uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

const stage = setStage();

/** Chooses one more value of a filter. */
async function filterBy(page: Page, name: string, option: string) {
  const filters = page.getByRole('group', { name: 'Filters' });
  await filters.getByRole('button', { name: new RegExp(`^${name}:`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await page.keyboard.press('Escape');
}

describe('the list of tasks', () => {
  it('is filtered by chips and words, all kept in the address', async () => {
    const { client, firstRun } = stage.atrium;
    const { slug, projectId } = await createRoom(client, 'Kitchen');
    await client.tasks.create(projectId, {
      title: 'Boil soup',
      labels: ['hot'],
      priority: 'URGENT',
    });
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
    const remove = (name: string) =>
      page.getByRole('button', { name: `Remove filter ${name}` }).click();
    await shown('Boil soup', 'Chop salad');
    await filterBy(page, 'Status', 'Done');
    await shown('Serve tea');
    await filterBy(page, 'Status', 'To do');
    await shown('Boil soup', 'Chop salad', 'Serve tea');
    await filterBy(page, 'Assignee', 'Me');
    await shown('Chop salad');
    await filterBy(page, 'Assignee', 'Nobody');
    await shown('Boil soup', 'Chop salad', 'Serve tea');
    await remove('Assignee');
    await filterBy(page, 'Due', 'Overdue');
    await shown('Chop salad');
    await remove('Due');
    await filterBy(page, 'Priority', 'Urgent');
    await shown('Boil soup');
    await remove('Priority');
    await filterBy(page, 'Label', 'hot');
    await shown('Boil soup');
    await expectAccessible(page, 'a filtered list of tasks');
    await remove('Label');
    await page.getByRole('searchbox', { name: 'Search tasks' }).fill('serv');
    await shown('Serve tea');
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ status: 'TODO,DONE', q: 'serv' });
    await page.reload();
    await shown('Serve tea');
    await page.getByRole('searchbox', { name: 'Search tasks' }).fill('nowhere');
    await page.getByText('No tasks match these filters').waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await shown('Boil soup', 'Chop salad');

    // Before the address has the first change.
    await page.goto(`/p/${slug}/tasks?status=DONE&priority=URGENT&label=hot`);
    await page.getByText('No tasks match these filters').waitFor();
    await page.evaluate(`['Status', 'Priority'].forEach((name) =>
      document.querySelector('[aria-label="Remove filter ' + name + '"]').click())`);
    await expect.poll(() => new URL(page.url()).search).toBe('?label=hot');
    await shown('Boil soup');
  });

  it('names whom it is filtered by, also before the project’s members are known', async () => {
    const { client } = stage.atrium;
    const { slug, projectId } = await createRoom(client, 'Post office');
    const ravi = await stage.atrium.addPerson(uniqueEmail('ravi'));
    const { items } = await client.projects.listMembers(projectId);
    const name = items.find(({ userId }) => userId === ravi.userId)?.name ?? '';
    const { page } = await stage.openAsOwner();
    await page.route('**/projects/*/members', () => {});
    await page.goto(`/p/${slug}/tasks?assignee=${ravi.userId}`);
    await page.getByRole('button', { name: `Assignee: ${name}` }).waitFor();
  });

  it('changes many tasks at once by keyboard, says what was refused, and takes all of it back', async () => {
    const { client } = stage.atrium;
    const { slug, projectId } = await createRoom(client, 'Zoo');
    const ants = await client.tasks.create(projectId, { title: 'Ants' });
    for (const title of ['Bees', 'Cats']) await client.tasks.create(projectId, { title });
    await client.tasks.create(projectId, { title: 'Legs', parentTaskId: ants.id });
    const stored = async () =>
      (await client.tasks.list(projectId)).items.map(
        ({ title, status, priority }) => `${title} ${status} ${priority}`,
      );
    const before = ['Ants', 'Bees', 'Cats', 'Legs'].map((title) => `${title} TODO NONE`);
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}/tasks`);
    await page.getByRole('link', { name: 'Legs' }).waitFor();
    for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
    await page.getByText('3 selected').waitFor();
    await expectAccessible(page, 'a list with selected tasks');
    await page.keyboard.press('s');
    await page.getByRole('option', { name: 'Done' }).click();
    await page.getByText(/1 of 3 tasks not changed\. #1: Close the subtasks/).waitFor();
    await page.getByText('2 tasks moved to Done').waitFor();
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('2 tasks changed back').waitFor();
    await expect.poll(stored).toEqual(before);

    // A key for the task with the focus alone.
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('p');
    await page.getByRole('option', { name: 'High' }).waitFor();
    await page.keyboard.type('hi');
    await page.keyboard.press('Enter');
    await expect.poll(stored).toEqual(['Ants TODO HIGH', ...before.slice(1)]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Bees' }).focus();
    await page.keyboard.press('Control+a');
    await page.getByText('4 selected').waitFor();
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('4 tasks archived').waitFor();
    expect(await stored()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(stored).toEqual(['Ants TODO HIGH', ...before.slice(1)]);
  });

  it('has views of one’s own: saved, changed, renamed, moved, deleted and had back', async () => {
    const { client } = stage.atrium;
    const { slug, projectId } = await createRoom(client, 'Attic');
    await client.tasks.create(projectId, { title: 'Mend roof', priority: 'HIGH' });
    await client.tasks.create(projectId, { title: 'Sort boxes' });
    const mine = async () =>
      (await client.tasks.listViews()).items
        .filter((view) => view.projectId === projectId)
        .map(({ name, layout, filters }) => ({ name, layout, filters }));
    const { page } = await stage.openAsOwner();
    const other = (await stage.openAsOwner()).page;
    await Promise.all([page.goto(`/p/${slug}/tasks`), other.goto(`/p/${slug}/tasks/board`)]);
    await filterBy(page, 'Priority', 'High');
    const save = async (name: string) => {
      await page.getByRole('button', { name: 'Save view' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(name);
      await page.keyboard.press('Enter');
      await tab(page, name).waitFor();
    };
    const tab = (on: Page, name: string) =>
      on.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });
    await save('Important');
    expect(await tab(page, 'Important').getAttribute('aria-current')).toBe('page');
    await filterBy(page, 'Assignee', 'Nobody');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const filters = { priority: ['HIGH'], assignee: ['none'] };
    await expect.poll(mine).toEqual([{ name: 'Important', layout: 'LIST', filters }]);

    await tab(page, 'Board').click();
    await expect.poll(() => page.locator('[data-card]').allTextContents()).toHaveLength(1);
    await save('On the board');
    // Other pages of the person learn of it, and open it as a board.
    await tab(other, 'On the board').click();
    await expect.poll(() => other.locator('[data-card]').count()).toBe(1);
    const act = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions of view ${name}` }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await act('On the board', 'Move left');
    await expect.poll(async () => (await mine())[0]).toMatchObject({ layout: 'BOARD' });
    await act('On the board', 'Rename view');
    await page.getByRole('dialog').getByLabel('Name').fill('Wall');
    await page.keyboard.press('Enter');
    await tab(other, 'Wall').waitFor();
    await expectAccessible(page, 'a board with saved views');
    await act('Wall', 'Delete view');
    await tab(page, 'Wall').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await tab(page, 'Wall').waitFor();
    expect((await mine()).map(({ name }) => name)).toEqual(['Wall', 'Important']);
  });
});
