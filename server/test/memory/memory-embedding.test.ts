import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCaller, type Call } from '../harness/clients/client.ts';
import { createTestDatabase, type TestDatabase } from '../harness/databases/database.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import {
  startEmbeddingsServer,
  type EmbeddingsServer,
} from '../harness/outside/openai-embeddings-server.ts';
import { readStatistics } from '../harness/models/memory-statistics.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';

/** An embedding service that works, fails and comes back, and servers that read with one model or another. */
let shared: TestDatabase;
let embeddings: EmbeddingsServer;
let org: TestOrg;

// Two engines and a model share few cores in CI.
vi.setConfig({ testTimeout: 120_000 });

beforeAll(async () => {
  shared = await createTestDatabase();
  embeddings = await startEmbeddingsServer(64);
  org = await createTestOrg(shared.db);
});
afterAll(async () => {
  await embeddings.close();
  await shared.drop();
});

interface Running {
  call: Call;
  server: TestServer;
}

async function withServer(
  options: { model?: string; baseUrl?: string; worker?: boolean },
  work: (running: Running) => Promise<void>,
): Promise<void> {
  const { model = 'alpha', baseUrl = embeddings.baseUrl, worker = false } = options;
  const env = { EMBEDDINGS: `openai:${model}:64`, OPENAI_BASE_URL: baseUrl };
  const server = await startTestServer({ shared, env, worker });
  try {
    await work({ call: createCaller(server.origin), server });
  } finally {
    await server.stop();
  }
}

async function create({ call }: Running, content: string, headers = {}) {
  const body = { content, visibility: 'ORG' };
  const send = () => call('POST', '/api/memory', { key: org.owner.key, body, headers });
  let reply = await send();
  // A repetition waits ten seconds for the first request, which may not be enough on a busy machine.
  while (reply.json.error?.details.reason === 'idempotency_in_progress') reply = await send();
  expect(reply.status, reply.text).toBe(201);
  return reply.json.data;
}

const read = async ({ call }: Running, id: string) =>
  (await call('GET', `/api/memory/${id}`, { key: org.owner.key })).json.data;

async function search({ call }: Running, query: string) {
  const body = { query, limit: 100 };
  const reply = await call('POST', '/api/memory/search', { key: org.owner.key, body });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data;
}

/** Polls until the jobs are done, with a limit. */
async function untilReady(running: Running, ids: readonly string[]): Promise<void> {
  const options = { timeout: 60_000, interval: 50 };
  await vi.waitFor(async () => {
    for (const id of ids) expect((await read(running, id)).embeddingStatus).toBe('READY');
  }, options);
}

const jobs = () =>
  shared.db.query<{ payload: object }>(`SELECT payload FROM jobs WHERE kind = 'embed-memories'`);

describe('embedding', () => {
  it('asks the service once per memory, however often the request is repeated', async () => {
    await withServer({}, async (running) => {
      const before = embeddings.requests.length;
      const headers = { 'idempotency-key': 'embed-once' };
      const send = () => create(running, 'A pangolin, once.', headers);
      const [first, second] = await Promise.all([send(), send()]);
      expect([second, await send()]).toEqual([first, first]);
      const asked = embeddings.requests.slice(before).map(({ body }) => body.input);
      expect(asked).toEqual([['A pangolin, once.']]);
    });
  });

  it('asks only for new content, and not for requests that are refused first', async () => {
    await withServer({}, async (running) => {
      const memory = await create(running, 'A note.');
      const before = embeddings.requests.length;
      const path = `/api/memory/${memory.id}`;
      const patch = (body: object, key = org.owner.key) =>
        running.call('PATCH', path, { key, body });
      await patch({ tags: ['t'] });
      await patch({ content: 'A note.', visibility: 'PRIVATE' });
      expect((await patch({ content: 'Not mine.' }, org.admin.key)).status).toBe(404);
      const body = { content: 'x'.repeat(10_001), visibility: 'ORG' };
      await running.call('POST', '/api/memory', { key: org.owner.key, body });
      expect(embeddings.requests.length).toBe(before);
      await patch({ content: 'Another note.' });
      expect(embeddings.requests.length).toBe(before + 1);
    });
  });

  it('201: a text that the service refuses is stored as pending, and found by its words', async () => {
    await withServer({}, async (running) => {
      embeddings.script([{ kind: 'refuse', texts: 'forbidden' }]);
      const memory = await create(running, 'A forbidden numbat.');
      expect(memory.embeddingStatus).toBe('PENDING');
      const found = await search(running, 'numbat');
      expect(found.degraded).toBe(false);
      expect(found.items[0]).toMatchObject({ id: memory.id, scores: { vector: null } });
    });
  });
});

describe('while the embedding service is down', () => {
  const NOWHERE = 'http://127.0.0.1:9/v1';
  let memoryId: string;

  it('201: a memory is stored as pending, with one job for all of them', async () => {
    await shared.db.query('DELETE FROM jobs');
    await withServer({ baseUrl: NOWHERE }, async (running) => {
      const memory = await create(running, 'The quoll hunts at night.');
      expect(memory.embeddingStatus).toBe('PENDING');
      memoryId = memory.id;
      expect((await read(running, memory.id)).embeddingStatus).toBe('PENDING');
      await create(running, 'Nothing of the kind.');
      expect(await jobs()).toEqual([{ payload: { orgId: org.orgId } }]);
    });
  });

  it('200: search compares only words, and says so', async () => {
    await withServer({ baseUrl: NOWHERE }, async (running) => {
      const { items, total, degraded } = await search(running, 'quolls hunting');
      expect([degraded, total]).toEqual([true, items.length]);
      expect(items[0]).toMatchObject({ id: memoryId, embeddingStatus: 'PENDING' });
      for (const { score, scores } of items) {
        expect(scores.vector).toBeNull();
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
      }
      expect(items[0].scores.lexical).toBeCloseTo(1, 2);
    });
  });

  it('200: changed content is pending again', async () => {
    let id = '';
    await withServer({}, async (running) => {
      const memory = await create(running, 'Read by the service.');
      expect(memory.embeddingStatus).toBe('READY');
      id = memory.id;
    });
    await withServer({ baseUrl: NOWHERE }, async ({ call }) => {
      const options = { key: org.owner.key, body: { content: 'Not read.' } };
      const { json } = await call('PATCH', `/api/memory/${id}`, options);
      expect(json.data).toMatchObject({ content: 'Not read.', embeddingStatus: 'PENDING' });
    });
    const [row] = await shared.db.query<{ embedding: unknown }>(
      'SELECT embedding FROM memories WHERE id = $1',
      [id],
    );
    expect(row?.embedding).toBeNull();
  });

  it('once it is back, the job embeds what is pending, and search is complete', async () => {
    await withServer({ worker: true }, async (running) => {
      await untilReady(running, [memoryId]);
      const { items, degraded } = await search(running, 'quoll');
      expect(degraded).toBe(false);
      expect(items[0]).toMatchObject({ id: memoryId, embeddingStatus: 'READY' });
      expect(items[0].scores.vector).toBeGreaterThan(0);
      await vi.waitFor(async () => expect(await jobs()).toEqual([]), { timeout: 30_000 });
    });
  });

  it('a write during an outage is embedded right after it', async () => {
    await withServer({ worker: true }, async (running) => {
      const before = embeddings.requests.length;
      const trouble = { kind: 'status', status: 503, retryAfter: '0' } as const;
      embeddings.script([trouble, trouble, trouble, trouble]);
      const memory = await create(running, 'The bilby digs.');
      expect(memory.embeddingStatus).toBe('PENDING');
      await untilReady(running, [memory.id]);
      expect(embeddings.requests.length).toBe(before + 5);
    });
  });
});

describe('another model', () => {
  it('reads all memories again in the background; meanwhile search works and mixes nothing', async () => {
    const ids: string[] = [];
    await withServer({ model: 'alpha' }, async (running) => {
      for (let at = 0; at < 40; at++) ids.push((await create(running, `The wombat ${at}.`)).id);
      expect((await search(running, 'wombat')).items[0].scores.vector).toBeGreaterThan(0);
    });
    await withServer({ model: 'beta' }, async (running) => {
      const { items, degraded } = await search(running, 'wombat');
      expect(degraded).toBe(false);
      expect(ids).toContain(items[0].id);
      for (const { scores, embeddingStatus } of items) {
        expect([scores.vector, embeddingStatus]).toEqual([null, 'PENDING']);
      }
      const fresh = await create(running, 'A wombat of the new model.');
      const after = await search(running, 'wombat');
      for (const { id, scores } of after.items) {
        expect(scores.vector === null).toBe(id !== fresh.id);
      }
    });
    await withServer({ model: 'beta', worker: true }, async (running) => {
      await untilReady(running, ids);
      const found = await search(running, 'wombat');
      for (const { scores } of found.items) expect(scores.vector).not.toBeNull();
      const models = await shared.db.query(
        'SELECT DISTINCT embedding_model AS model FROM memories WHERE org_id = $1',
        [org.orgId],
      );
      expect(models).toEqual([{ model: 'beta' }]);
    });
  });

  it('of token vectors: they and the terms are made again, without asking the service for vectors', async () => {
    const select = `SELECT to_json(terms) AS terms, embedding::text, token_model AS "tokenModel",
      token_vectors IS NOT NULL AS "hasTokens" FROM memories WHERE id = $1`;
    let id = '';
    let before: object | undefined;
    await withServer({ model: 'beta' }, async (running) => {
      id = (await create(running, 'Die Rechnungen werden am Ende des Monats bezahlt.')).id;
      [before] = await shared.db.query(select, [id]);
    });
    // As an older version has left them.
    await shared.db.query(
      `UPDATE memories SET terms = '{1,2}', token_vectors = NULL, token_model = 'older' WHERE id = $1`,
      [id],
    );
    await shared.db.query('DELETE FROM memory_terms WHERE org_id = $1', [org.orgId]);
    await shared.db.query(
      `INSERT INTO memory_terms (org_id, scope, term, memories)
       SELECT org_id, scope, term, count(*) FROM memories CROSS JOIN unnest(terms) term
       WHERE org_id = $1 GROUP BY org_id, scope, term`,
      [org.orgId],
    );
    const asked = embeddings.requests.length;
    await withServer({ model: 'beta', worker: true }, async () => {
      await vi.waitFor(async () => expect(await jobs()).toEqual([]), { timeout: 30_000 });
      await vi.waitFor(async () => expect(await shared.db.query(select, [id])).toEqual([before]), {
        timeout: 30_000,
      });
    });
    expect(before).toMatchObject({ hasTokens: true });
    expect(embeddings.requests.length).toBe(asked);
    const { kept, counted } = await readStatistics(shared.db, org.orgId);
    expect(kept).toEqual(counted);
  });

  it('a memory that it has not read is found by its words, above those without any of them', async () => {
    await withServer({ model: 'gamma' }, async (running) => {
      await create(running, 'Something else entirely.');
      const { items } = await search(running, 'wombat');
      expect(items[0].scores.vector).toBeNull();
      const hasWord = items.map(({ content }: { content: string }) => /wombat/.test(content));
      expect(hasWord.indexOf(false)).toBe(hasWord.filter(Boolean).length);
      expect(hasWord.filter(Boolean).length).toBeGreaterThan(40);
    });
  });
});
