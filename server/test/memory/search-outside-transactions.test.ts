import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller, type Call } from '../harness/clients/client.ts';
import { expectError } from '../harness/clients/envelope.ts';
import { createTestOrg, type TestOrg } from '../harness/factories.ts';
import {
  startEmbeddingsServer,
  type EmbeddingsServer,
} from '../harness/outside/openai-embeddings-server.ts';
import { startTestServer, type TestServer } from '../harness/processes/server.ts';
import { watchDatabase } from '../harness/counting/watched-database.ts';

let embeddings: EmbeddingsServer;
let server: TestServer;
let call: Call;
let org: TestOrg;
let other: TestOrg;
let openTransactions = 0;

beforeAll(async () => {
  embeddings = await startEmbeddingsServer(64);
  const env = { EMBEDDINGS: 'openai:alpha:64', OPENAI_BASE_URL: embeddings.baseUrl };
  server = await startTestServer({ env });
  watchDatabase(server.db, {
    opened: () => openTransactions++,
    closed: () => openTransactions--,
  });
  call = createCaller(server.origin);
  org = await createTestOrg(server.db);
  other = await createTestOrg(server.db);
});
afterAll(async () => {
  await server.stop();
  await embeddings.close();
});

const SURFACES = [
  ['POST /memory/search', '/api/memory/search', () => org.owner.key],
  ['POST /v1/memories/search', '/api/v1/memories/search', () => org.orgKey],
] as const;

describe.each(SURFACES)('%s with an Idempotency-Key', (_title, path, key) => {
  it('200: nobody waits for it while the embedding service does not answer', async () => {
    const { promise: until, resolve: answer } = Promise.withResolvers<void>();
    embeddings.script([{ kind: 'hold', until }]);
    const before = embeddings.requests.length;
    const search = (idempotencyKey: string) =>
      call('POST', path, {
        key: key(),
        body: { query: `prices ${path}` },
        headers: { 'idempotency-key': idempotencyKey },
      });
    const idempotencyKey = randomUUID();
    const searching = search(idempotencyKey);
    await embeddings.received(before + 1);
    expect(openTransactions).toBe(0);
    const created = await call('POST', '/api/projects', {
      key: other.owner.key,
      body: { name: `Meanwhile ${path}` },
      headers: { 'idempotency-key': randomUUID() },
    });
    const listed = await call('GET', '/api/projects', { key: other.owner.key });
    expect([created.status, listed.status]).toEqual([201, 200]);
    answer();
    const found = await searching;
    expect(found.status, found.text).toBe(200);
    const asked = embeddings.requests.length;
    const again = await search(idempotencyKey);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([found.text, 'true']);
    expect(embeddings.requests).toHaveLength(asked);
  });

  it('404: a missing Project is reported again, without another search', async () => {
    const options = {
      key: key(),
      body: { query: 'prices', projectId: 'caaaaaaaaaaaaaaaaaaaaaaaa' },
      headers: { 'idempotency-key': randomUUID() },
    };
    const first = await call('POST', path, options);
    expectError(first, 'NOT_FOUND');
    const asked = embeddings.requests.length;
    const again = await call('POST', path, options);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect(embeddings.requests).toHaveLength(asked);
  });
});
