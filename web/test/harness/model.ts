import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelServer } from '../../../server/test/harness/outside/model-server.ts';
import { startOpenAiChatServer } from '../../../server/test/harness/outside/openai-chat-server.ts';

/** The model `ada`, which says what the test tells it to. */
export interface TestModel extends ModelServer {
  /** Tells the server about it. */
  env: Record<string, string>;
}

export async function startModel(): Promise<TestModel> {
  const server = await startOpenAiChatServer();
  const folder = await mkdtemp(join(tmpdir(), 'atrium-model-'));
  const entry = { slug: 'ada', provider: 'openai-compatible', model: 'm', baseURL: server.baseUrl };
  const file = join(folder, 'models.json');
  await writeFile(file, JSON.stringify([{ ...entry, creditsPer1kTokens: 0 }]));
  return {
    ...server,
    env: { MODELS_FILE: file },
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}
