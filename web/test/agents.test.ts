import { afterAll, describe, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
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

describe('an agent', () => {
  it('is made from a template, tried in a scratch session, and answers under its own name', async () => {
    const { projectId, slug, path } = await createRoom(stage.atrium.client, 'Agents');
    const { page } = await stage.openAsOwner();
    await page.goto('/settings/agents');
    await page.getByText('No agents yet').waitFor();
    await page.getByRole('button', { name: 'Create agent' }).click();
    const dialog = page.getByRole('dialog');
    await chooseOption(fieldOf(dialog, 'Start from'), /^Support answers/);
    await expectAccessible(page, 'the dialog to create an agent');

    // A name that is taken is refused beside its field.
    const mention = dialog.getByRole('textbox', { name: 'Mention' });
    await mention.fill('ada');
    await dialog.getByRole('button', { name: 'Create agent' }).click();
    await dialog.getByText('@ada is taken').waitFor();
    expect(await mention.getAttribute('aria-invalid')).toBe('true');
    await mention.fill('support');
    await dialog.getByRole('textbox', { name: 'Instructions' }).fill('Answer in verse.');
    await dialog.getByText('Preview what it sees').click();
    await dialog.getByRole('list', { name: 'What the agent sees' }).getByText('in verse').waitFor();
    await dialog.getByText('Only these projects').click();
    await dialog.getByRole('button', { name: 'Create agent' }).click();
    await dialog.getByText('Choose at least one project.').waitFor();
    await dialog.getByRole('checkbox', { name: /^Agents/ }).check();
    await dialog.getByRole('button', { name: 'Create agent' }).click();
    await dialog.waitFor({ state: 'detached' });
    const [agent] = (await stage.atrium.client.agents.list()).items;
    expect(agent).toMatchObject({
      slug: 'support',
      name: 'Support answers',
      instructions: 'Answer in verse.',
      tools: ['search_memory'],
      projectIds: [projectId],
    });

    await page.getByRole('button', { name: 'Try it' }).click();
    await dialog.getByRole('button', { name: 'Open scratch session' }).click();
    // It answers every message there, the first as well as those that follow.
    await page.getByPlaceholder('Ask Support answers…').waitFor();
    for (const [asked, answered] of [
      ['how are roses?', 'Roses are red.'],
      ['and violets?', 'Violets are blue.'],
    ] as const) {
      model.answerWith([answered]);
      await composerOf(page).pressSequentially(asked);
      await composerOf(page).press('Enter');
      const answer = page.getByRole('article').filter({ hasText: answered });
      await answer.getByText('Support answers', { exact: true }).waitFor();
      expect(model.requests.at(-1)?.instructions).toContain('Answer in verse.');
    }

    // The typeahead finds it by its name and describes it, and the header can make it answer @model.
    await composerOf(page).pressSequentially('@answ');
    await page.getByRole('option', { name: /@support.*Drafts answers/ }).waitFor();
    await composerOf(page).press('Escape');
    await page.getByRole('button', { name: '@model is answered by Support answers' }).click();
    await page.getByRole('menuitem', { name: /^ada/ }).click();
    await page.getByRole('button', { name: '@model is answered by ada' }).waitFor();

    // The project can make it answer @model in all its sessions.
    await page.goto(`/p/${slug}`);
    await page.getByRole('button', { name: 'Project actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit project' }).click();
    await chooseOption(fieldOf(dialog, 'Who answers @model'), /^Support answers/);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.goto(path);
    await page.getByRole('button', { name: '@model is answered by Support answers' }).waitFor();
    await page.getByRole('button', { name: 'Session actions' }).click();
    await page.getByRole('menuitem', { name: 'Summary so far' }).click();
    await dialog.getByText('There is no summary yet.').waitFor();

    await page.goto('/settings/agents');
    await page.getByRole('button', { name: 'Archive' }).click();
    await dialog.getByRole('button', { name: 'Archive agent' }).click();
    await page.getByText('No agents yet').waitFor();

    // It can be taken back at once, and later.
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Support answers' }).waitFor();
    await page.getByRole('button', { name: 'Archive' }).click();
    await dialog.getByRole('button', { name: 'Archive agent' }).click();
    await page.getByText('No agents yet').waitFor();
    await page.reload();
    const archived = page.getByRole('region', { name: 'Archived agents' });
    await archived.getByText('@support').waitFor();
    await expectAccessible(page, 'archived agents');
    await archived.getByRole('button', { name: 'Restore Support answers' }).click();
    await page.getByText('@support answers again').waitFor();
    await page.getByRole('heading', { name: 'Support answers' }).waitFor();
    await archived.waitFor({ state: 'detached' });
    expect((await stage.atrium.client.agents.list()).items).toMatchObject([{ slug: 'support' }]);
  });

  it('is offered to answer without a mention only to someone who is alone, and says why not', async () => {
    const { client } = stage.atrium;
    const { slug, id, path } = await createRoom(client, 'Alone');
    const ravi = await stage.atrium.addPerson(uniqueEmail('ravi'));
    const { page } = await stage.openAsOwner();
    await page.goto(path);
    const openMenu = () => page.getByRole('button', { name: 'Session actions' }).click();
    const item = page.getByRole('menuitem', { name: 'Answer without a mention' });
    await openMenu();
    await item.click();
    await page.getByText('Every message is answered').waitFor();
    const participantUserIds = [stage.atrium.firstRun.userId, ravi.userId];
    await client.sessions.update(slug, id, { participantUserIds });
    await openMenu();
    const off = page.getByRole('menuitem', { name: 'Answer only mentions' });
    await off.getByText('It has no effect while others take part.').waitFor();
    await off.click();
    await page.getByText('Only messages with a mention are answered').waitFor();
    await openMenu();
    await item.getByText('Only for a person who is alone here, and others take part.').waitFor();
    expect(await item.getAttribute('aria-disabled')).toBe('true');
  });

  it('of a member answers in named projects, and others cannot change it', async () => {
    const { client } = stage.atrium;
    const { projectId } = await createRoom(client, 'Shared');
    await client.agents.create({ slug: 'notes', name: 'Notes', projectIds: [projectId] });
    const ravi = await stage.atrium.addPerson(uniqueEmail('ravi'));
    const { page } = await stage.open({ person: ravi, size: { width: 360, height: 800 } });
    await page.goto('/settings/agents');
    await page.getByRole('heading', { name: 'Notes' }).waitFor();
    expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Create agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Only owners and admins can make an agent for every project').waitFor();
    expect(await dialog.getByText('Every project', { exact: true }).count()).toBe(0);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Mine');
    await dialog.getByRole('checkbox', { name: /^Shared/ }).check();
    await dialog.getByRole('button', { name: 'Create agent' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).waitFor();
  });
});

describe('a new chat', () => {
  it('is one key away, named by its first message, and keeps what was asked before', async () => {
    const { slug } = await createRoom(stage.atrium.client, 'Chats');
    const { page } = await stage.openAsOwner();
    await page.goto(`/p/${slug}`);
    await page.getByRole('button', { name: 'New chat' }).waitFor();
    await page.keyboard.press('Alt+n');
    await page.getByRole('heading', { name: 'What would you like to know?' }).waitFor();
    const picker = page.getByRole('button', { name: /^Answered by/ });
    await picker.click();
    await page.keyboard.type('recal');
    await page.getByRole('option', { name: /^recall/ }).waitFor();
    await expectAccessible(page, 'a new chat');
    await page.keyboard.press('Escape');
    await picker.press('Enter');
    await page.keyboard.type('ada');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Answered by ada' }).waitFor();

    model.answerWith(['Red.']);
    await page.getByRole('textbox', { name: 'Message' }).fill('what colour are roses?');
    await page.keyboard.press('Enter');
    const messages = page.locator('[data-message]');
    await messages.filter({ hasText: 'Red.' }).waitFor();
    await page.getByRole('heading', { name: 'What colour are roses?' }).waitFor();
    const [chat] = (await stage.atrium.client.sessions.list(slug)).items;
    expect(chat).toMatchObject({ access: 'PARTICIPANTS', defaultAgent: 'ada', title: null });

    // Regenerated, then asked in other words, in place.
    model.answerWith(['Pink.']);
    await messages.filter({ hasText: 'Red.' }).hover();
    await page.getByRole('button', { name: 'Regenerate', exact: true }).click();
    await messages.filter({ hasText: 'Pink.' }).waitFor();
    expect(await messages.count()).toBe(2);
    model.answerWith(['Blue.']);
    await composerOf(page).focus();
    await page.keyboard.press('ArrowUp');
    const editor = page.getByRole('form', { name: 'Edit message' });
    await editor.getByRole('textbox').fill('what colour are violets?');
    await expectAccessible(page, 'a question that is asked again');
    await page.keyboard.press('Enter');
    await messages.filter({ hasText: 'Blue.' }).waitFor();
    expect(await messages.count()).toBe(2);
    expect(JSON.stringify(model.requests.at(-1))).not.toMatch(/roses|Pink/);

    // Back with the pointer, and on with the keyboard.
    const versions = page.getByRole('group', { name: 'Versions of this question' });
    await versions.getByText('3 of 3').waitFor();
    await versions.getByRole('button', { name: 'Previous version' }).click();
    await messages.filter({ hasText: 'Pink.' }).waitFor();
    await versions.getByText('2 of 3').waitFor();
    await messages.first().focus();
    await page.keyboard.press('ArrowLeft');
    await messages.filter({ hasText: 'Red.' }).waitFor();
    await expect
      .poll(() => messages.first().evaluate((one) => one === document.activeElement))
      .toBe(true);
    await page.keyboard.press('ArrowRight');
    await messages.filter({ hasText: 'Pink.' }).waitFor();
    await page.reload();
    await versions.getByText('2 of 3').waitFor();
    await messages.filter({ hasText: 'Pink.' }).waitFor();
  });
});
