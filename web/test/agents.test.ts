import { afterAll, describe, expect, it } from 'vitest';
import { composerOf, expectAccessible } from './harness/browser.ts';
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
    await dialog.getByRole('combobox', { name: 'Start from' }).selectOption('support');
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
    await expect.poll(() => composerOf(page).inputValue()).toBe('@support ');
    model.answerWith(['Roses are red.']);
    await composerOf(page).pressSequentially('how are roses?');
    await composerOf(page).press('Enter');
    const answer = page.getByRole('article').filter({ hasText: 'Roses are red.' });
    await answer.getByText('Support answers', { exact: true }).waitFor();
    expect(model.requests.at(-1)?.instructions).toContain('Answer in verse.');

    // The typeahead finds it by its name and describes it, and the header can make it answer @model.
    await composerOf(page).pressSequentially('@answ');
    await page.getByRole('option', { name: /@support.*Drafts answers/ }).waitFor();
    await composerOf(page).press('Escape');
    await page.getByRole('button', { name: '@model is answered by ada' }).click();
    await page.getByRole('menuitem', { name: /Support answers/ }).click();
    await page.getByRole('button', { name: '@model is answered by Support answers' }).waitFor();

    // The project can make it answer @model in all its sessions.
    await page.goto(`/p/${slug}`);
    await page.getByRole('button', { name: 'Project actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit project' }).click();
    await dialog.getByRole('combobox', { name: 'Who answers @model' }).selectOption('support');
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
