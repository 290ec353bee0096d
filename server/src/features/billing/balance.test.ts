import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startBillingStage } from '../../../test/harness/stages/billing-stage.ts';
import { createCaller } from '../../../test/harness/clients/client.ts';
import { expectError, problemsOf } from '../../../test/harness/clients/envelope.ts';
import { createTestOrg, type Person, type TestOrg } from '../../../test/harness/factories.ts';
import { startTestServer } from '../../../test/harness/processes/server.ts';
import { useStarted } from '../../../test/harness/processes/use-started.ts';

const stage = useStarted(
  () => startBillingStage({ worker: false }),
  (started) => started.stop(),
);
let org: TestOrg;

beforeAll(async () => void (org = await stage.newOrg()));

const CHECKOUT = '/api/billing/checkout';
const TOPUP = '/api/billing/topup';
const PORTAL = '/api/billing/portal';

describe('GET /billing/credits', () => {
  it('200: a new org has the free credits of the month, once, however many ask', async () => {
    const fresh = await stage.newOrg();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => stage.call('GET', '/api/billing/credits', fresh.member)),
    );
    const now = new Date();
    const renewsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    for (const { json } of replies) {
      expect(json.data).toEqual({
        balance: 200,
        reserved: 0,
        included: 200,
        topup: 0,
        plan: 'free',
        renewsAt: renewsAt.toISOString(),
      });
    }
    expect(await stage.entries(fresh)).toEqual(['GRANT 200']);
  });

  it('400: a query parameter', async () => {
    const reply = await stage.call('GET', '/api/billing/credits?org=1', org.member);
    expect(problemsOf(reply)).toEqual(['query.org unknown_field']);
  });
});

/** The member's messages, in a session for everybody and in a private one, each with a USAGE entry of its id. */
async function chargeMessages({ orgId, member }: TestOrg): Promise<string[]> {
  const made = async (path: string, body: object) =>
    (await stage.call('POST', path, member, body)).json.data;
  const { slug } = await made('/api/projects', { name: 'Charged' });
  const ids: string[] = [];
  for (const access of ['PROJECT', 'PARTICIPANTS']) {
    const session = await made(`/api/spaces/${slug}/sessions`, { name: 'Talk', access });
    const path = `/api/spaces/${slug}/sessions/${session.id}/messages`;
    const { id } = await made(path, { body: 'Hello.' });
    await stage.server.db.query(
      `INSERT INTO ledger_entries (org_id, id, kind, credits, source, message_id)
       VALUES ($1, $2, 'USAGE', -7, 'message:' || $2, $2)`,
      [orgId, id],
    );
    ids.push(id);
  }
  return ids;
}

describe('GET /billing/ledger', () => {
  it('200: newest first, paged, and only the org’s own entries', async () => {
    const fresh = await stage.newOrg();
    await stage.credits(fresh);
    const ids = await chargeMessages(fresh);
    const page = async (query: string) =>
      (await stage.call('GET', `/api/billing/ledger${query}`, fresh.member)).json.data;
    const all = await page('');
    expect(all).toMatchObject({ total: 3, page: 1, limit: 20 });
    expect(all.items[0]).toEqual({
      id: ids[1],
      kind: 'USAGE',
      credits: -7,
      source: `message:${ids[1]}`,
      messageId: ids[1],
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(all.items.at(-1)).toMatchObject({ kind: 'GRANT', credits: 200, messageId: null });
    const pages = [await page('?limit=2'), await page('?limit=2&page=2'), await page('?page=9')];
    expect(pages.map(({ items }) => items.length)).toEqual([2, 1, 0]);
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3]);
    expect([...pages[0].items, ...pages[1].items]).toEqual(all.items);
  });

  it('200: says which reply was charged to those who may read it only', async () => {
    const fresh = await stage.newOrg();
    const [open, hidden] = await chargeMessages(fresh);
    const list = async (by: Person) =>
      (await stage.call('GET', '/api/billing/ledger?limit=2', by)).json.data.items;
    expect(await list(fresh.member)).toMatchObject([
      { id: hidden, source: `message:${hidden}`, messageId: hidden },
      { id: open, source: `message:${open}`, messageId: open },
    ]);
    expect(await list(fresh.owner)).toMatchObject([
      { id: hidden, credits: -7, source: 'message', messageId: null },
      { id: open, source: `message:${open}`, messageId: open },
    ]);
  });

  it.each(['limit=0', 'limit=101', 'page=0', 'page=1.5', 'kind=USAGE'])(
    '400: %s',
    async (query) => {
      problemsOf(await stage.call('GET', `/api/billing/ledger?${query}`, org.member));
    },
  );
});

describe('409 billing_not_configured', () => {
  async function start(env: Record<string, string>) {
    const bare = await startTestServer({ env });
    onTestFinished(() => bare.stop());
    const { origin, db } = bare;
    return { origin, callBare: createCaller(origin), ...(await createTestOrg(db)) };
  }

  it('in production without a key; credits, ledger and usage still work', async () => {
    const { origin, callBare, owner, member } = await start({ NODE_ENV: 'production' });
    for (const [path, body] of [
      [CHECKOUT, { plan: 'pro' }],
      [TOPUP, { pack: 'small' }],
      [PORTAL, {}],
    ] as const) {
      const reply = await callBare('POST', path, owner, body);
      expect(expectError(reply, 'CONFLICT')).toEqual({ reason: 'billing_not_configured' });
    }
    for (const path of ['credits', 'ledger', 'usage']) {
      const reply = await callBare('GET', `/api/billing/${path}`, member);
      expect(reply.status, reply.text).toBe(200);
    }
    const page = await fetch(`${origin}/sandbox/checkout/cs_test_1`);
    expect(page.status).toBe(404);
  });

  it('for a plan without a price; others can be bought', async () => {
    const { callBare, owner } = await start({
      STRIPE_SECRET_KEY: 'sk_test_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
      STRIPE_API_BASE: stage.proxy.url,
      STRIPE_PRICE_PRO_MONTHLY: 'sandbox_pro_monthly, sandbox_pro_annual',
    });
    const buy = (plan: string, interval: string) =>
      callBare('POST', CHECKOUT, owner, { plan, interval });
    const refused = await buy('team', 'monthly');
    expect(expectError(refused, 'CONFLICT')).toEqual({
      reason: 'billing_not_configured',
      plan: 'team',
      interval: 'monthly',
    });
    expect((await buy('pro', 'annual')).status).toBe(409);
    const sold = await buy('pro', 'monthly');
    expect(sold.status, sold.text).toBe(200);
    expect(
      await stage.stripe.checkout.sessions.retrieve(sold.json.data.id, {
        expand: ['line_items'],
      }),
    ).toMatchObject({
      line_items: { data: [{ price: { id: 'sandbox_pro_monthly' } }] },
    });
  });
});
