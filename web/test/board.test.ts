import { afterAll, describe, expect, it } from 'vitest';
import { boxOf, card, column, createBoard, drag, storedTitles, titlesIn } from './harness/board.ts';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { chooseOption, fieldOf } from './harness/fields.ts';
import { startModel, type TestModel } from './harness/model.ts';
import { uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

let model: TestModel;

const stage = setStage({
  prepare: async () => {
    model = await startModel();
    return model.env;
  },
});

afterAll(() => model.close());

describe('the board', () => {
  it('teaches when it is empty, and what one person creates and moves, everybody sees', async () => {
    const { client } = stage.atrium;
    const { projectId, path } = await createBoard(client, []);
    const person = await stage.atrium.addPerson(uniqueEmail('watcher'));
    const { page } = await stage.openAsOwner();
    const theirs = (await stage.open({ person })).page;
    await Promise.all([page.goto(path), theirs.goto(path)]);
    await page.getByText(/Press c to create one/).waitFor();
    await page.getByRole('button', { name: 'Add task to In progress' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill('Cats');
    await page.keyboard.press('Enter');
    await expect.poll(() => titlesIn(page, 'In progress')).toEqual(['Cats']);
    await page.keyboard.press('c');
    await page.getByRole('dialog').getByLabel('Title').fill('Ants\nBees');
    await page.getByRole('button', { name: 'Create 2 tasks' }).click();
    for (const one of [page, theirs]) {
      await expect.poll(() => titlesIn(one, 'To do')).toEqual(['Ants', 'Bees']);
    }

    await drag(page, 'Ants', 'Cats', 'above');
    await page.locator('[data-marker]').waitFor({ state: 'attached' });
    // The card is in the hand, and then lies where it was dropped.
    const lifted = page.locator('[data-lifted]');
    await lifted.getByText('Ants').waitFor();
    expect(await lifted.getAttribute('aria-hidden')).toBe('true');
    await page.mouse.up();
    await lifted.waitFor({ state: 'detached' });
    for (const one of [page, theirs]) {
      await expect.poll(() => titlesIn(one, 'In progress')).toEqual(['Ants', 'Cats']);
      await expect.poll(() => titlesIn(one, 'To do')).toEqual(['Bees']);
    }
    expect(new URL(page.url()).pathname).toBe(path);
    await drag(page, 'Ants', 'Cats', 'below');
    await page.mouse.up();
    await expect.poll(() => titlesIn(theirs, 'In progress')).toEqual(['Cats', 'Ants']);
    expect(await storedTitles(client, projectId, 'IN_PROGRESS')).toEqual(['Cats', 'Ants']);
    // Escape puts it back.
    await drag(page, 'Bees', 'Cats', 'above');
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await page.locator('[data-marker]').waitFor({ state: 'detached' });
    expect(await titlesIn(page, 'To do')).toEqual(['Bees']);
  });

  it('moves a task by keyboard alone, and snaps back a move that loses the race', async () => {
    const { client } = stage.atrium;
    const { projectId, path } = await createBoard(client, [
      ['Ants', 'TODO'],
      ['Bees', 'TODO'],
      ['Cats', 'IN_PROGRESS'],
      ['Dogs', 'IN_PROGRESS'],
    ]);
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    const grip = page.getByRole('button', { name: /^Move #2 Bees/ });
    await grip.focus();
    await page.keyboard.press(' ');
    await page.keyboard.press('ArrowRight');
    await page.getByText('#2: In progress, place 2 of 3').waitFor({ state: 'attached' });
    await expectAccessible(page, 'the board while a task is moved');
    await page.keyboard.press('ArrowUp');
    await page.getByText('#2: In progress, place 1 of 3').waitFor({ state: 'attached' });
    await page.keyboard.press(' ');
    await expect.poll(() => titlesIn(page, 'In progress')).toEqual(['Bees', 'Cats', 'Dogs']);
    await expect
      .poll(() => grip.evaluate((button) => button === document.activeElement))
      .toBe(true);
    const stored = () => storedTitles(client, projectId, 'IN_PROGRESS');
    await expect.poll(stored).toEqual(['Bees', 'Cats', 'Dogs']);
    // Twice in a row, without waiting for the server.
    for (const key of [' ', 'ArrowDown', ' ', ' ', 'ArrowDown', ' '])
      await page.keyboard.press(key);
    await expect.poll(stored).toEqual(['Cats', 'Dogs', 'Bees']);
    // While a move is on its way, what others do must not put the old order back.
    const held = Promise.withResolvers<void>();
    await page.route('**/tasks/*', async (route) => {
      if (route.request().method() === 'PATCH') await held.promise;
      await route.continue();
    });
    for (const key of [' ', 'ArrowUp', ' ']) await page.keyboard.press(key);
    await expect.poll(() => titlesIn(page, 'In progress')).toEqual(['Cats', 'Bees', 'Dogs']);
    const lists: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/tasks')) lists.push(request.url());
    });
    await client.tasks.create(projectId, { title: 'Eels' });
    await client.projects.update(projectId, { name: 'Zoo' });
    await page.getByText('Zoo').first().waitFor();
    expect(lists).toEqual([]);
    held.resolve();
    await expect.poll(() => titlesIn(page, 'To do')).toEqual(['Ants', 'Eels']);
    expect(await stored()).toEqual(['Cats', 'Bees', 'Dogs']);
    for (const key of [' ', 'ArrowDown', ' ']) await page.keyboard.press(key);
    await expect.poll(stored).toEqual(['Cats', 'Dogs', 'Bees']);
    for (const key of [' ', 'ArrowLeft', 'Escape']) await page.keyboard.press(key);
    expect(await stored()).toEqual(['Cats', 'Dogs', 'Bees']);

    const [ants] = (await client.tasks.list(projectId, { number: 1 })).items;
    // Someone else is faster: the request arrives after their change.
    await page.route('**/tasks/*', async (route) => {
      if (route.request().method() === 'PATCH') {
        await client.tasks.update(projectId, ants?.id ?? '', { status: 'DONE' });
      }
      await route.continue();
    });
    await page.getByRole('button', { name: /^Move #1 Ants/ }).focus();
    for (const key of [' ', 'ArrowRight', ' ']) await page.keyboard.press(key);
    await page.getByText(/#1 wasn’t moved: someone else moved it to Done/).waitFor();
    await expect.poll(() => titlesIn(page, 'Done')).toEqual(['Ants']);
    await expect.poll(() => titlesIn(page, 'In progress')).toEqual(['Cats', 'Dogs', 'Bees']);
    await page.unroute('**/tasks/*');

    // A change that is no move doesn't undo the move.
    let isChanged = false;
    await page.route('**/tasks/*', async (route) => {
      if (route.request().method() === 'PATCH' && !isChanged) {
        isChanged = true;
        await client.tasks.update(projectId, ants?.id ?? '', { priority: 'HIGH' });
      }
      await route.continue();
    });
    await page.getByRole('button', { name: /^Move #1 Ants/ }).focus();
    for (const key of [' ', 'ArrowLeft', ' ']) await page.keyboard.press(key);
    await expect.poll(() => storedTitles(client, projectId, 'DONE')).toEqual([]);
    expect(isChanged).toBe(true);
  });

  it('shows a task that moves at every moment, also if its new column arrives later', async () => {
    const { client } = stage.atrium;
    const { projectId, path } = await createBoard(client, [['Ants', 'TODO']]);
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    await expect.poll(() => titlesIn(page, 'To do')).toEqual(['Ants']);
    const holds = {
      TODO: Promise.withResolvers<void>(),
      IN_PROGRESS: Promise.withResolvers<void>(),
    };
    const asked = Promise.withResolvers<void>();
    await page.route('**/tasks?*', async (route) => {
      const status = new URL(route.request().url()).searchParams.get('status');
      if (status === 'TODO') asked.resolve();
      if (status === 'TODO' || status === 'IN_PROGRESS') await holds[status].promise;
      await route.continue();
    });
    const [ants] = (await client.tasks.list(projectId, { number: 1 })).items;
    await client.tasks.update(projectId, ants?.id ?? '', { status: 'IN_PROGRESS' });
    await asked.promise;
    // It shows when the old column has arrived.
    await client.tasks.create(projectId, { title: 'Bees' });
    holds.TODO.resolve();
    await card(page, 'Bees').waitFor();
    expect(await titlesIn(page, 'To do')).toEqual(['Ants', 'Bees']);
    holds.IN_PROGRESS.resolve();
    await expect.poll(() => titlesIn(page, 'In progress')).toEqual(['Ants']);
    expect(await titlesIn(page, 'To do')).toEqual(['Bees']);
  });

  it('opens with 50 tasks per column and loads more as one scrolls, and has proposals in a tray', async () => {
    const { client } = stage.atrium;
    const titles = Array.from({ length: 55 }, (_, at) => `Task ${at + 1}`);
    const { projectId, path } = await createBoard(client, [
      ...titles.map((title) => [title, 'TODO'] as [string, 'TODO']),
      ['Ants', 'PROPOSED'],
      ['Bees', 'PROPOSED'],
      ['Cats', 'PROPOSED'],
      ['Dogs', 'PROPOSED'],
    ]);
    const { page } = await stage.openAsOwner();
    const pages: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith('/tasks') && url.searchParams.get('status') === 'TODO') {
        pages.push(url.searchParams.get('page') ?? '');
      }
    });
    await page.goto(path);
    const cards = column(page, 'To do').locator('[data-card]');
    await expect.poll(() => cards.count()).toBe(50);
    expect(new Set(pages)).toEqual(new Set(['1']));
    await column(page, 'To do').getByText('55', { exact: true }).waitFor();
    await cards.last().scrollIntoViewIfNeeded();
    await expect.poll(() => titlesIn(page, 'To do')).toEqual(titles);

    const tray = page.getByRole('region', { name: 'Proposed tasks' });
    await expectAccessible(page, 'the board with proposed tasks');
    await tray.getByLabel('Select #56 Ants').check();
    await tray.getByLabel('Select #58 Cats').check();
    await tray.getByRole('button', { name: 'Accept 2 tasks' }).click();
    await page.getByText('2 tasks accepted').waitFor();
    await expect.poll(() => titlesIn(page, 'To do')).toEqual([...titles, 'Ants', 'Cats']);
    await tray.getByRole('button', { name: 'Select all' }).click();
    await tray.getByRole('button', { name: 'Decline 2 tasks' }).click();
    await tray.waitFor({ state: 'detached' });
    expect(await storedTitles(client, projectId, 'CANCELLED')).toEqual(['Bees', 'Dogs']);
    await client.tasks.create(projectId, { title: 'Eels', status: 'PROPOSED' });
    await tray.getByRole('link', { name: '#60 Eels' }).click();
    await page.getByRole('button', { name: 'Accept task' }).click();
    await fieldOf(page, 'Status').getByText('To do').waitFor();
  });

  it('takes back every move, with the button and with Ctrl+Z', async () => {
    const { client } = stage.atrium;
    const { projectId, path } = await createBoard(client, [
      ['Ants', 'TODO'],
      ['Bees', 'TODO'],
      ['Cats', 'TODO'],
      ['Dogs', 'IN_PROGRESS'],
    ]);
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    const move = async (name: RegExp, ...moves: string[]) => {
      await page.getByRole('button', { name }).focus();
      for (const key of [' ', ...moves, ' ']) await page.keyboard.press(key);
    };
    const stored = async () => [
      await storedTitles(client, projectId, 'TODO'),
      await storedTitles(client, projectId, 'IN_PROGRESS'),
    ];
    await move(/^Move #2/, 'ArrowRight');
    await page.getByText('#2 moved to In progress').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(stored).toEqual([['Ants', 'Bees', 'Cats'], ['Dogs']]);
    await expect.poll(() => titlesIn(page, 'To do')).toEqual(['Ants', 'Bees', 'Cats']);

    // The last move first. What stood above a card may have left meanwhile.
    await move(/^Move #3/, 'ArrowRight');
    await page.getByText('#3 moved to In progress').waitFor();
    await move(/^Move #2/, 'ArrowUp');
    await page.getByText('#2 moved within To do').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(1);
    await expect.poll(stored).toEqual([
      ['Bees', 'Ants'],
      ['Dogs', 'Cats'],
    ]);
    await page.keyboard.press('Control+z');
    await expect.poll(stored).toEqual([
      ['Ants', 'Bees'],
      ['Dogs', 'Cats'],
    ]);
    const bees = (await client.tasks.list(projectId, { number: 2 })).items[0];
    await client.tasks.update(projectId, bees?.id ?? '', { status: 'DONE' });
    await expect.poll(() => titlesIn(page, 'Done')).toEqual(['Bees']);
    await page.keyboard.press('Control+z');
    await expect.poll(stored).toEqual([['Ants', 'Cats'], ['Dogs']]);
  });

  it('starts an agent on a task, and tries again after it failed', async () => {
    const { client } = stage.atrium;
    const { path } = await createBoard(client, [['Write a poem', 'TODO']]);
    const refused = { status: 401, errorType: 'authentication_error' };
    const held = Promise.withResolvers<void>();
    model.answerWith(async (_, index) => {
      await held.promise;
      return index === 0 ? refused : 'Roses are red.';
    });
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    await card(page, 'Write a poem').hover();
    await page.getByRole('button', { name: 'Start agent on #1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start agent' });
    await chooseOption(fieldOf(dialog, 'Agent'), 'ada');
    await expectAccessible(page, 'the dialog to start an agent');
    await dialog.getByRole('button', { name: 'Start agent' }).click();
    await column(page, 'In progress').getByText('Agent working').waitFor();
    held.resolve();
    await column(page, 'To do').getByText('Agent failed').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => titlesIn(page, 'In review')).toEqual(['Write a poem']);
    await page.getByRole('link', { name: 'Write a poem', exact: true }).click();
    await page
      .getByRole('region', { name: 'Activity' })
      .getByText('Roses are red.', { exact: true })
      .waitFor();
    await page.getByText(/ada is finished/).waitFor();
  });

  it('offers to start an agent as soon as a task is assigned to it', async () => {
    const { client } = stage.atrium;
    const { slug, projectId } = await createBoard(client, [['Write a song', 'TODO']]);
    const held = Promise.withResolvers<void>();
    model.answerWith(async () => {
      await held.promise;
      return 'La la la.';
    });
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}/t/1`);
    await chooseOption(fieldOf(page, 'Assignee'), 'ada');
    await page.getByText('Assigned to ada. Start now?').waitFor();
    await expectAccessible(page, 'a task that waits for its agent');
    const [before] = (await client.tasks.list(projectId)).items;
    expect(before).toMatchObject({ status: 'TODO', assigneeAgent: 'ada', run: null });
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.getByText(/ada is working on it/).waitFor();
    expect(await page.getByText('Start now?').count()).toBe(0);
    held.resolve();
    await page
      .getByRole('region', { name: 'Activity' })
      .getByText('La la la.', { exact: true })
      .waitFor();
    await chooseOption(fieldOf(page, 'Assignee'), 'Nobody');
    await page.getByRole('button', { name: 'Start agent' }).waitFor();
  });
});

describe('on a phone', () => {
  it('tasks are created, moved with a finger, and discussed', async () => {
    const { client } = stage.atrium;
    const { projectId, path } = await createBoard(client, [['Walk', 'TODO']]);
    const { page } = await stage.openAsOwner({ size: { width: 360, height: 740 }, isTouch: true });
    await page.goto(path);
    await page.getByRole('button', { name: 'Add task to To do' }).tap();
    await page.getByRole('dialog').getByLabel('Title').fill('Run');
    await page.getByRole('button', { name: 'Create task' }).tap();
    await card(page, 'Run').waitFor();
    const first = await boxOf(page, 'Walk');
    const from = await page.getByRole('button', { name: /^Move #2 Run/ }).boundingBox();
    if (!from) throw new Error('no grip');
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x, y }],
      });
    const x = from.x + 10;
    await send('touchStart', x, from.y + 10);
    for (let y = from.y + 5; y > first.y + 2; y -= 8) await send('touchMove', x, y);
    // A finger that is lifted while it moves leaves a fling, which the browser ends with the next tap.
    await page.waitForTimeout(100);
    await send('touchEnd', 0, 0);
    await expect
      .poll(async () => (await client.tasks.list(projectId)).items.map(({ title }) => title))
      .toEqual(['Run', 'Walk']);
    await page.getByRole('link', { name: 'Run' }).tap();
    await page.getByRole('heading', { level: 1, name: 'Run' }).waitFor();
    await composerOf(page).fill('Where to?');
    await page.getByRole('button', { name: 'Send', exact: true }).tap();
    await page.getByRole('article').filter({ hasText: 'Where to?' }).waitFor();
    await expectAccessible(page, 'a task’s discussion on a phone');
    await page.goBack();
    await card(page, 'Run').waitFor();
    // Held at the edge, it reaches the next column, and later the one after it.
    const held = await page.getByRole('button', { name: /^Move #2 Run/ }).boundingBox();
    const y = (held?.y ?? 0) + 10;
    await send('touchStart', x, y);
    for (const step of [100, 200, 340]) await send('touchMove', step, y);
    await page
      .locator('[data-column]:not([data-column="TODO"]) [data-marker]')
      .waitFor({ state: 'attached' });
    await send('touchEnd', 0, 0);
    await expect.poll(() => storedTitles(client, projectId, 'TODO')).toEqual(['Walk']);
  });
});
