import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../harness/clients/client.ts';
import { createTestDatabase, type TestDatabase } from '../harness/databases/database.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import { startRerankServer, type RerankServer } from '../harness/outside/rerank-server.ts';
import { startTestServer } from '../harness/processes/server.ts';

let shared: TestDatabase;
let service: RerankServer;
let org: TestOrg;

beforeAll(async () => {
  shared = await createTestDatabase();
  service = await startRerankServer();
  org = await createTestOrg(shared.db);
});
afterAll(async () => {
  await service.close();
  await shared.drop();
});

interface Match {
  content: string;
  score: number;
  scores: { rerank: number | null };
}

async function withRerank(
  rerank: string,
  work: (call: ReturnType<typeof createCaller>) => Promise<void>,
): Promise<void> {
  const server = await startTestServer({ shared, env: { RERANK: rerank } });
  try {
    await work(createCaller(server.origin));
  } finally {
    await server.stop();
  }
}

describe('RERANK', () => {
  it('a service orders the results; what it is not sent is not found; if it fails, the local model does it', async () => {
    await withRerank(service.url, async (call) => {
      const { key } = org.owner;
      const contents = ['The tea is green.', 'The coffee is black.', 'The milk is white.'];
      for (const content of contents) {
        await call('POST', '/api/memory', { key, body: { content, visibility: 'ORG' } });
      }
      const own = { content: 'My coffee is cold.', visibility: 'PRIVATE' };
      await call('POST', '/api/memory', { key: org.member.key, body: own });
      const search = async (): Promise<Match[]> => {
        const body = { query: 'which colour has coffee?' };
        return (await call('POST', '/api/memory/search', { key, body })).json.data.items;
      };
      service.answerWith((documents) => documents.map((text) => (/milk/.test(text) ? 0.8 : 0.1)));
      const [first, ...others] = await search();
      expect(first).toMatchObject({ content: contents[2], score: 0.8, scores: { rerank: 0.8 } });
      expect(others.map(({ score }) => score)).toEqual([0.1, 0.1]);
      expect(service.requests.at(-1)?.body.documents.toSorted()).toEqual(contents.toSorted());
      service.answerRaw({ status: 503, body: '' });
      const [local] = await search();
      expect(local?.content).toBe(contents[1]);
      expect(local?.scores.rerank).toBeGreaterThan(0);
    });
  });

  it('none: results keep the order of the first ranking', async () => {
    await withRerank('none', async (call) => {
      const body = { query: 'which colour has coffee?' };
      const { json } = await call('POST', '/api/memory/search', { key: org.owner.key, body });
      const items = json.data.items as Match[];
      expect(items[0]?.content).toContain('coffee');
      for (const { scores } of items) expect(scores.rerank).toBeNull();
    });
  });
});
