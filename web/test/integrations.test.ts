import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, it } from 'vitest';
import { createAuthority } from '../../server/test/harness/outside/certificates.ts';
import {
  startEverythingServer,
  type EverythingServer,
} from '../../server/test/harness/outside/everything-server.ts';
import type { ModelServer } from '../../server/test/harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../../server/test/harness/outside/openai-chat-server.ts';
import { composerOf } from './harness/browser.ts';
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
    await composer.pressSequentially('@every');
    await page.getByRole('option', { name: /everything/ }).waitFor();
    await composer.press('Enter');
    await composer.pressSequentially('what is 2 + 40?');
    await composer.press('Enter');
    const answering = page.getByRole('article', { name: /is answering$/ });
    await answering.getByText('get-sum').waitFor();
    await answering.getByText(/^\d.* m?s$/).waitFor();
    isSeen.resolve();
    await answering.waitFor({ state: 'detached' });
    const answer = page.getByRole('article').filter({ hasText: 'It is 42.' }).last();
    await answer.waitFor();
    await answer.getByText('get-sum').first().click();
    await answer.getByText('"b": 40').waitFor();
  });
});
