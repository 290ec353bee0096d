import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  startRerankServer,
  type RerankServer,
} from '../../../test/harness/outside/rerank-server.ts';
import { createRerankService } from './rerank-service.ts';

const KEY = 'rerank-very-secret-4711';
const TEXTS = ['A note about cats.', 'The price is 12 EUR.'];
let server: RerankServer;
let lines: string[];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });

beforeEach(async () => {
  server = await startRerankServer();
  lines = [];
});
afterEach(async () => {
  await server.close();
  expect(lines.join('')).not.toContain(KEY);
});

const service = (timings = { deadlineMs: 10_000, breakerOpenMs: 60_000 }) =>
  createRerankService({ url: server.url, apiKey: KEY, model: 'rerank-1' }, log, timings);

describe('the re-ranking service', () => {
  it('gets the query and the texts, and its scores come back in the order of the texts', async () => {
    server.answerWith((documents) => documents.map((text) => (text.includes('EUR') ? 0.9 : -3)));
    expect(await service().rank('price?', TEXTS)).toEqual([0, 0.9]);
    expect(server.requests).toEqual([
      {
        authorization: `Bearer ${KEY}`,
        body: { query: 'price?', documents: TEXTS, top_n: 2, model: 'rerank-1' },
      },
    ]);
    expect(await service().rank('price?', [])).toEqual([]);
    await service().rank('long', ['x'.repeat(10_000)]);
    expect(server.requests.at(-1)?.body.documents[0]).toHaveLength(4_000);
  });

  it.each([
    ['500', { status: 500, body: '{}' }],
    ['a redirect', { status: 302, body: '', location: 'http://127.0.0.1:9/' }],
    ['no JSON', { status: 200, body: 'secret text' }],
    ['a score missing', { status: 200, body: '{"results":[{"index":0,"relevance_score":1}]}' }],
    ['more than it may send', { status: 200, body: ' '.repeat(100_000) }],
  ])('%s: nothing, and a warning without the texts', async (_, answer) => {
    server.answerRaw(answer);
    expect(await service().rank('price?', TEXTS)).toBeUndefined();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('could not re-rank');
    expect(lines[0]).not.toMatch(/secret text|12 EUR|price\?/);
  });

  it('hangs: nothing after the deadline; after five failures it gets no calls', async () => {
    server.hang();
    const slow = service({ deadlineMs: 300, breakerOpenMs: 60_000 });
    for (let tried = 0; tried < 8; tried++) {
      expect(await slow.rank('price?', TEXTS)).toBeUndefined();
    }
    expect(server.requests).toHaveLength(5);
    expect(lines.join('')).toContain('the re-ranking service is down');
  });
});
