import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startBillingStage, type BillingStage } from '../harness/stages/billing-stage.ts';
import type { Reply } from '../harness/clients/client.ts';
import { expectError } from '../harness/clients/envelope.ts';
import type { TestOrg } from '../harness/factories.ts';
import type { Failure } from '../harness/outside/provider-proxy.ts';

/** The payment provider is down, slow or sends nonsense. */
let stage: BillingStage;
let org: TestOrg;

beforeAll(async () => {
  stage = await startBillingStage({ worker: false });
});
beforeEach(async () => {
  org = await stage.newOrg();
});
afterEach(() => stage.proxy.fail(undefined));
afterAll(() => stage.stop());

const ROUTES = [
  ['checkout', { plan: 'pro' }],
  ['topup', { credits: 100 }],
  ['portal', {}],
] as const;

const post = (route: string, body: object, idempotencyKey = 'key'): Promise<Reply> =>
  stage.call('POST', `/api/billing/${route}`, {
    key: org.owner.key,
    body,
    headers: { 'idempotency-key': `${idempotencyKey}-${route}` },
  });

async function countCheckouts(): Promise<number> {
  const [row] = await stage.server.db.query<{ count: number }>(
    'SELECT count(*) FROM checkouts WHERE org_id = $1',
    [org.orgId],
  );
  return row?.count ?? 0;
}

/** The provider's own records of this org. */
async function openedAtProvider(): Promise<string[]> {
  const rows = await stage.server.db.query<{ id: string }>(
    `SELECT s.id FROM sandbox_objects s JOIN sandbox_objects c ON c.id = s.data->>'customer'
     WHERE s.type = 'checkout.session' AND c.data->'metadata'->>'orgId' = $1`,
    [org.orgId],
  );
  return rows.map(({ id }) => id);
}

const FAILURES: Record<string, Failure> = {
  'breaks the connection': (request) => request.socket.destroy(),
  'answers 500': (_, response) => response.writeHead(500).end('{"error":{"type":"api_error"}}'),
  'answers 401': (_, response) =>
    response.writeHead(401).end('{"error":{"message":"Invalid API Key provided: sk_test_*tage"}}'),
  'answers 429 and asks for a minute': (_, response) =>
    response.writeHead(429, { 'retry-after': '59' }).end('{"error":{}}'),
  'answers with a page': (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Under maintenance</html>'),
  'answers with nothing': (_, response) => response.writeHead(200).end(),
  'answers with half': (_, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"id":"cus');
    response.destroy();
  },
  'never answers': () => {},
  'never stops answering': async (_, response) => {
    response.writeHead(200);
    while (!response.destroyed) {
      response.write(' ');
      await sleep(100);
    }
  },
  'is slow, and then never answers': async (request) => {
    if (request.url !== '/v1/customers') return undefined;
    await sleep(2_500);
    return 'pass';
  },
};

describe.each(Object.entries(FAILURES))('a provider that %s', (how, failure) => {
  it('500 with a requestId, nothing bought, and the same key works later', async () => {
    stage.proxy.fail(failure);
    let answered = 0;
    const replies = ROUTES.map(async ([route, body]) => {
      const reply = await post(route, body);
      answered++;
      return reply;
    });
    // No transaction is open meanwhile: the embedded engine has one connection, and serves other requests.
    const credits = await stage.credits(org);
    expect(credits).toMatchObject({ balance: 200 });
    if (how.includes('never')) expect(answered).toBe(0);
    for (const reply of await Promise.all(replies)) {
      expectError(reply, 'INTERNAL_ERROR');
      expect(reply.text).not.toMatch(/stripe|sk_test|maintenance|customer/i);
      const { requestId } = reply.json.metadata;
      const logged = stage.server.logLines.filter((line) => line.includes(requestId));
      expect(logged.some((line) => line.includes('"err"'))).toBe(true);
      expect(logged.join()).not.toContain('sk_test_stage');
      // The contract allows ten seconds, and a response may take two calls.
      if (how.includes('never')) expect(logged.join()).toMatch(/\b4[05]00 ?ms/);
    }
    expect(await countCheckouts()).toBe(0);

    stage.proxy.fail(undefined);
    for (const [route, body] of ROUTES) {
      const reply = await post(route, body);
      expect(reply.status, reply.text).toBe(200);
      expect(reply.headers.get('idempotency-replayed')).toBe(null);
    }
    expect(await countCheckouts()).toBe(2);
    expect(await openedAtProvider()).toHaveLength(2);
    expect(await stage.credits(org)).toMatchObject({ balance: 200, plan: 'free' });
  });
});

describe('the plans of a provider that answers nonsense', () => {
  it('200: are listed without prices, and with them when it is back', async () => {
    const plans = async () => {
      const reply = await stage.call('GET', '/api/billing/plans', { key: org.member.key });
      expect(reply.status, reply.text).toBe(200);
      const items = reply.json.data.items as { credits: number; prices: object[] }[];
      return items.map(({ credits, prices }) => [credits, prices.length]);
    };
    stage.proxy.fail((_, response) => response.writeHead(400).end('{"error":{"code":"bad"}}'));
    expect(await plans()).toEqual([
      [200, 0],
      [2_000, 0],
      [10_000, 0],
      [50_000, 0],
    ]);
    stage.proxy.fail(undefined);
    expect((await plans()).map(([, prices]) => prices)).toEqual([0, 2, 2, 2]);
  });
});

describe('a response that is lost', () => {
  it('both times: the retry opens no second checkout, and the existing one counts', async () => {
    await post('portal', {});
    for (const _ of [1, 2]) stage.proxy.loseNext(/^\/v1\/checkout\/sessions$/);
    expectError(await post('topup', { credits: 100 }), 'INTERNAL_ERROR');
    const opened = await openedAtProvider();
    expect(opened).toHaveLength(1);
    expect(await countCheckouts()).toBe(0);
    const reply = await post('topup', { credits: 100 });
    expect(reply.json.data.id).toBe(opened[0]);
    expect(await openedAtProvider()).toEqual(opened);
    await stage.act(reply.json.data.id, 'pay');
    await stage.deliver();
    expect(await stage.credits(org)).toMatchObject({ topup: 100 });
  });

  it('once: the SDK retries, with the same key', async () => {
    await post('portal', {});
    stage.proxy.requests.length = 0;
    stage.proxy.loseNext(/^\/v1\/checkout\/sessions$/);
    const reply = await post('topup', { credits: 100 });
    expect(reply.status, reply.text).toBe(200);
    const [first, second] = stage.proxy.requests;
    expect(first).toEqual(second);
    expect(first?.idempotencyKey).toMatch(/^atrium-/);
    expect(await openedAtProvider()).toEqual([reply.json.data.id]);
  });
});
