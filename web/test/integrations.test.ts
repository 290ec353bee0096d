import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createAuthority } from '../../server/test/harness/outside/certificates.ts';
import {
  startEverythingServer,
  type EverythingServer,
} from '../../server/test/harness/outside/everything-server.ts';
import type { ModelServer } from '../../server/test/harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../../server/test/harness/outside/openai-chat-server.ts';
import { composerOf, expectAccessible } from './harness/browser.ts';
import { createRoom } from './harness/room.ts';
import { setStage } from './harness/stage.ts';

let everything: EverythingServer;
let model: ModelServer;
let folder: string;

const stage = setStage({
  prepare: async () => {
    const authority = createAuthority();
    folder = await mkdtemp(join(tmpdir(), 'atrium-integrations-'));
    [everything, model] = await Promise.all([
      startEverythingServer(authority),
      startOpenAiChatServer(),
    ]);
    const entry = {
      slug: 'ada',
      provider: 'openai-compatible',
      model: 'test',
      baseURL: model.baseUrl,
    };
    await Promise.all([
      writeFile(join(folder, 'ca.pem'), authority.certificate),
      writeFile(join(folder, 'models.json'), JSON.stringify([{ ...entry, creditsPer1kTokens: 0 }])),
    ]);
    return {
      MCP_ALLOW_HOSTS: everything.host,
      MODEL_ALLOW_HOSTS: new URL(model.baseUrl).host,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      MODELS_FILE: join(folder, 'models.json'),
    };
  },
});

afterAll(async () => {
  await Promise.all([everything.close(), model.close()]);
  await rm(folder, { recursive: true });
});

describe('an MCP server', () => {
  it('is added, tested and mentioned, and the answer shows the tool it used', async () => {
    const { client } = stage.atrium;
    const { path } = await createRoom(client, 'Sums');
    const { page } = await stage.openAsOwner();

    await page.goto('/settings/integrations');
    await page.getByRole('button', { name: /^add/i }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Everything');
    await dialog.getByRole('textbox', { name: 'Mention' }).fill('everything');
    await dialog.getByRole('textbox', { name: 'Address' }).fill(everything.url);
    await dialog.getByRole('button', { name: /^add/i }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /test/i }).first().click();
    await page.getByText('mcp-servers/everything').first().waitFor();

    const isSeen = Promise.withResolvers<void>();
    model.answerWith([
      { toolCalls: [{ name: 'get-sum', input: { a: 2, b: 40 } }] },
      { text: 'It is 42.', pace: () => isSeen.promise },
    ]);
    await page.goto(path);
    const composer = composerOf(page);
    await composer.pressSequentially('@everyt');
    await page.getByRole('option', { name: /everything/ }).waitFor();
    await composer.press('Enter');
    await composer.pressSequentially('what is 2 + 40?');
    await composer.press('Enter');
    const answering = page.getByRole('article', { name: /is answering$/ });
    await answering.getByText(/^Used get-sum/).waitFor();
    isSeen.resolve();
    await answering.waitFor({ state: 'detached' });
    const answer = page.getByRole('article').filter({ hasText: 'It is 42.' }).last();
    await answer.waitFor();
    await answer.getByText('get-sum').first().click();
    await answer.getByText(/^get-sum · \d.* m?s$/).waitFor();
    await answer.getByText('"b": 40').waitFor();
  });
});

describe('a model provider', () => {
  it('is added with a key, its models are chosen and tested, and one answers without a restart', async () => {
    const { client } = stage.atrium;
    const { path } = await createRoom(client, 'Own models');
    const { page } = await stage.openAsOwner();
    model.offered = [
      { id: 'grace-large', created: 2 },
      { id: 'grace-small', created: 1 },
    ];

    await page.goto('/settings/models');
    await page.getByRole('cell', { name: /This server/ }).waitFor();
    await page.getByText('No providers yet').waitFor();
    await page.getByRole('button', { name: 'Add provider' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add provider' }).click();
    await dialog.getByText(/is required at the address of OpenAI/).waitFor();
    await dialog.getByRole('radio', { name: 'OpenAI-compatible' }).check();
    await dialog.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:1/v1');
    await dialog.getByRole('button', { name: 'Add provider' }).click();
    await dialog.getByText(/MODEL_ALLOW_HOSTS/).waitFor();
    await expectAccessible(page, 'the dialog to add a provider');
    await dialog.getByRole('textbox', { name: 'Address' }).fill(model.baseUrl);
    await dialog.getByLabel(/API key/).fill('sk-browser-4711');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Grace & Co');
    await dialog.getByRole('button', { name: 'Add provider' }).click();

    // The models are chosen next: found by typing, with a mention and prices.
    const choose = page.getByRole('dialog', { name: 'Models of Grace & Co' });
    await choose.getByRole('checkbox', { name: 'grace-small' }).waitFor();
    await choose.getByRole('searchbox', { name: 'Find a model' }).fill('large');
    await page.keyboard.press('Enter');
    const mention = choose.getByRole('textbox', { name: 'Mention, grace-large' });
    await mention.fill('ada');
    await choose.getByRole('button', { name: 'Save models' }).click();
    await choose.getByText(/belongs to a model that the operator/).waitFor();
    await expectAccessible(page, 'the dialog to choose models');
    await mention.fill('grace');
    await choose.getByRole('spinbutton', { name: 'Credits in, grace-large' }).fill('300');
    await choose.getByRole('spinbutton', { name: 'Credits out, grace-large' }).fill('1500');
    await choose.getByRole('checkbox', { name: 'Takes images, grace-large' }).check();
    await choose.getByRole('button', { name: 'Save models' }).click();
    await choose.waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: '300 in, 1,500 out' }).waitFor();
    await page.getByRole('cell', { name: /Your organisation/ }).waitFor();

    model.answerWith(['Hello from Grace.']);
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('“Hello from Grace.”').waitFor();
    model.answerWith([{ status: 401, body: '{"error":{"message":"no such key"}}' }]);
    await page.getByRole('button', { name: 'Test' }).click();
    await page
      .getByText(/It says: no such key/)
      .first()
      .waitFor();
    expect(await page.content()).not.toContain('sk-browser');
    await expectAccessible(page, 'the page of models');

    model.answerWith(['I am new here.']);
    await page.goto(path);
    await composerOf(page).pressSequentially('@grac');
    await page.getByRole('option', { name: /grace/ }).waitFor();
    await composerOf(page).press('Enter');
    await composerOf(page).pressSequentially('who are you?');
    await composerOf(page).press('Enter');
    await page.getByRole('article').filter({ hasText: 'I am new here.' }).last().waitFor();

    // Before it is deleted, the page says who uses it.
    const agent = { slug: 'helper', name: 'Helper', projectIds: [], model: 'grace' };
    await client.agents.create(agent);
    await page.goto('/settings/models');
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText(/@helper uses it and can’t answer/).waitFor();
    await dialog.getByRole('button', { name: 'Delete provider' }).click();
    await page.getByText('No providers yet').waitFor();
  });
});
