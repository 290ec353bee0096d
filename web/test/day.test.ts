import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { clientOf } from './harness/example-team.ts';
import { chooseOption, fieldOf } from './harness/fields.ts';
import { startModel, type TestModel } from './harness/model.ts';
import { createRoom, uniqueEmail } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

let model: TestModel;

const stage = setStage({
  prepare: async () => {
    model = await startModel();
    return model.env;
  },
});

afterAll(() => model.close());

const PHONE = { size: { width: 390, height: 844 }, isTouch: true };

async function meet(name: string): Promise<{ userId: string } & Parameters<typeof clientOf>[1]> {
  const person = await stage.atrium.addPerson(uniqueEmail(name.toLowerCase()));
  await clientOf(stage.atrium, person).identity.update({ name, handle: name.toLowerCase() });
  return person;
}

async function say(page: Page, text: string): Promise<void> {
  await composerOf(page).fill(text);
  await composerOf(page).press('Escape');
  await composerOf(page).press('Enter');
}

/** Waits until a message with this text is on the page. */
async function hear(page: Page, text: string): Promise<void> {
  await page.locator('article[data-message]').filter({ hasText: text }).first().waitFor();
}

/** With nothing but keys. */
async function goTo(page: Page, words: string, option: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor();
  await page.keyboard.type(words);
  await page.getByRole('option', { name: option, selected: true }).waitFor();
  await page.keyboard.press('Enter');
}

/** The owner has a mouse, Kim a keyboard, and Pia a phone. */
it('three people spend a day', async () => {
  const { client } = stage.atrium;
  await client.identity.update({ name: 'Olga' });
  const kim = await meet('Kim');
  const pia = await meet('Pia');
  const room = await createRoom(client, 'Relaunch');
  await client.sessions.update(room.slug, room.id, { isForEveryone: true });
  const { page: olga } = await stage.openAsOwner();
  const { page: keyboard } = await stage.open({ person: kim });
  const { page: phone } = await stage.open({ person: pia, ...PHONE });
  await Promise.all([olga.goto(room.path), keyboard.goto('/'), phone.goto('/inbox')]);

  // In the morning, everybody is told, and Kim by first name.
  await composerOf(olga).waitFor();
  await say(olga, 'Good morning @everyone, @Kim has the plan.');
  await phone.getByText(/Olga wrote to everyone/).waitFor();
  await keyboard.getByRole('heading', { level: 1 }).first().waitFor();
  await goTo(keyboard, 'relaunch chat', /Chat/);
  await hear(keyboard, 'has the plan.');
  await keyboard.keyboard.type('Here it is :tad');
  await keyboard.getByRole('option', { name: /tada/ }).first().waitFor();
  await keyboard.keyboard.press('Enter');
  await keyboard.keyboard.press('Enter');
  await hear(olga, 'Here it is 🎉');

  // A task from the conversation reaches Pia's phone, who starts and discusses it there.
  await say(olga, '/task Take the photos @pia');
  await olga.getByText('Created task #1 for Pia').waitFor();
  await phone.getByRole('link', { name: /Olga assigned you a task/ }).click();
  await phone.getByRole('heading', { level: 1, name: 'Take the photos' }).waitFor();
  await chooseOption(fieldOf(phone, 'Status'), 'In progress');
  await phone
    .getByRole('textbox', { name: /Comment|Message/ })
    .first()
    .fill('On my way.');
  await phone.getByRole('button', { name: 'Send', exact: true }).click();
  await expectAccessible(phone, 'a task on a phone');
  await olga.goto(`/p/${room.slug}/t/1`);
  await hear(olga, 'On my way.');
  await olga
    .getByText(/Pia.*In progress/)
    .first()
    .waitFor();

  // Kim asks Olga something in private, without leaving the keyboard.
  await goTo(keyboard, 'olga', /^Olga/);
  await keyboard.getByRole('heading', { level: 1, name: 'Olga' }).waitFor();
  await keyboard.keyboard.type('Lunch?');
  await keyboard.keyboard.press('Enter');
  await keyboard.keyboard.type('/status 🍜 Lunch until 2 pm');
  await keyboard.keyboard.press('Enter');
  await keyboard.getByText(/Status set/).waitFor();
  const direct = olga.getByRole('region', { name: 'Direct messages' });
  await direct.getByRole('link', { name: /Kim.*1/ }).click();
  await hear(olga, 'Lunch?');
  await say(olga, 'In ten minutes.');
  await hear(keyboard, 'In ten minutes.');

  // In the afternoon, Olga asks a model, and once more.
  model.answerWith(['Three weeks.']);
  await olga.keyboard.press('Alt+n');
  await olga.getByRole('textbox', { name: 'Message' }).fill('How long does a relaunch take?');
  await olga.keyboard.press('Enter');
  const messages = olga.locator('[data-message]');
  await messages.filter({ hasText: 'Three weeks.' }).waitFor();
  model.answerWith(['Six weeks.']);
  await messages.filter({ hasText: 'Three weeks.' }).hover();
  await olga.getByRole('button', { name: 'Regenerate', exact: true }).click();
  await messages.filter({ hasText: 'Six weeks.' }).waitFor();
  await olga.getByText('2 of 2').waitFor();

  // In the evening, Pia finishes, Kim is reminded tomorrow, and nothing is left unread.
  await chooseOption(fieldOf(phone, 'Status'), 'Done');
  await expect
    .poll(async () => (await client.tasks.list(room.projectId)).items[0]?.status)
    .toBe('DONE');
  await keyboard.keyboard.type('/remind me to send the invoice tomorrow at 9');
  await keyboard.keyboard.press('Enter');
  await keyboard.getByText(/Reminder set for .*: send the invoice/).waitFor();
  const unread = async () =>
    (await client.sessions.listAll({ unread: true })).items.map(({ name }) => name);
  await olga.goto(room.path);
  await composerOf(olga).waitFor();
  await expect.poll(unread, { timeout: 10_000 }).toEqual([]);
}, 300_000);
