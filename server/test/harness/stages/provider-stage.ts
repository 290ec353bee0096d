import { beforeEach, expect } from 'vitest';
import type { Reply } from '../clients/client.ts';
import { createTestDatabase } from '../databases/database.ts';
import { createTestOrg, type TestOrg } from '../factories.ts';
import { startAnthropicServer } from '../outside/anthropic-server.ts';
import { startDnsServer } from '../outside/dns-server.ts';
import type { ModelServer } from '../outside/model-server.ts';
import { startOpenAiChatServer } from '../outside/openai-chat-server.ts';
import { useStarted } from '../processes/use-started.ts';
import { startAgentStage, type AgentStage, type Room } from './agent-stage.ts';

export const PROVIDERS = '/api/model-providers';
export const PROVIDER_SECRET = 'sk-canary-provider-4711';

const NAMES: Record<string, { addresses?: string[]; code?: number }> = {
  'api.openai.com': { addresses: ['93.184.216.34'] },
  'api.anthropic.com': { addresses: ['93.184.216.34'] },
  'models.example.com': { addresses: ['93.184.216.34'] },
  'inside.example.com': { addresses: ['10.0.0.7'] },
  'half.example.com': { addresses: ['93.184.216.34', '127.0.0.1'] },
  'metadata.example.com': { addresses: ['169.254.169.254'] },
  'broken.example.com': { code: 2 },
};

/**
 * Two processes on one database. The first has no models of its own, and may call two model servers on
 * loopback. The operator of the second has configured `@house`.
 */
export interface ProviderStage {
  first: AgentStage;
  second: AgentStage;
  openai: ModelServer;
  anthropic: ModelServer;
  /** Of this test. */
  org: TestOrg;
  create(fields?: object, key?: string): Promise<Reply>;
  /** Returns the id. */
  add(fields?: object, key?: string): Promise<string>;
  /** A provider with this model, at the OpenAI server. Returns the provider's id. */
  addModel(slug: string, fields?: object, key?: string): Promise<string>;
  change(id: string, body: object, key?: string): Promise<Reply>;
  openRoom(session?: object): Promise<Room>;
}

export function useProviderStage(): ProviderStage {
  const stage = useStarted(start, (started) => started.stop());
  beforeEach(async () => {
    Object.assign(stage.org, await createTestOrg(stage.first.server.db));
    for (const server of [stage.openai, stage.anthropic]) {
      server.answerWith(['Hello.']);
      server.offered = [];
      server.requests.length = 0;
      server.listings.length = 0;
    }
  });
  return stage;
}

async function start(): Promise<ProviderStage & { stop(): Promise<void> }> {
  const openai = await startOpenAiChatServer();
  const anthropic = await startAnthropicServer();
  const dns = await startDnsServer(({ name }) => NAMES[name]);
  const shared = await createTestDatabase();
  const env = {
    MODEL_ALLOW_HOSTS: [openai, anthropic].map(({ baseUrl }) => new URL(baseUrl).host).join(','),
    DNS_SERVERS: dns.address,
    PUBLIC_URL: 'https://atrium.example.com',
  };
  const first = await startAgentStage([], { env, shared });
  const second = await startAgentStage([{ slug: 'house', server: openai }], {
    env,
    shared,
    worker: false,
  });
  const stage: ProviderStage & { stop(): Promise<void> } = {
    first,
    second,
    openai,
    anthropic,
    org: first.org,
    create: (fields, key = stage.org.owner.key) =>
      first.call('POST', PROVIDERS, {
        key,
        body: { kind: 'openai-compatible', name: 'Ours', baseUrl: openai.baseUrl, ...fields },
      }),
    async add(fields, key) {
      const reply = await stage.create(fields, key);
      expect(reply.status, reply.text).toBe(201);
      return reply.json.data.id;
    },
    addModel: (slug, fields, key) =>
      stage.add({ models: [{ slug, model: `${slug}-1`, ...fields }] }, key),
    change: (id, body, key = stage.org.owner.key) =>
      first.call('PATCH', `${PROVIDERS}/${id}`, { key, body }),
    openRoom: (session) => first.openRoom(session, stage.org),
    async stop() {
      await second.stop();
      await first.stop();
      await Promise.all([openai.close(), anthropic.close(), dns.close()]);
      await shared.drop();
    },
  };
  return stage;
}
