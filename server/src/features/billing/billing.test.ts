import { beforeAll, describe, expect, it } from 'vitest';
import { startBillingStage } from '../../../test/harness/stages/billing-stage.ts';
import { dataOf, expectError, problemsOf } from '../../../test/harness/clients/envelope.ts';
import { keyWithScopes, type TestOrg } from '../../../test/harness/factories.ts';
import { idOf } from '../../../test/harness/clients/id-of.ts';
import { useStarted } from '../../../test/harness/processes/use-started.ts';

const stage = useStarted(startBillingStage, (started) => started.stop());
let org: TestOrg;
let other: TestOrg;

beforeAll(async () => {
  org = await stage.newOrg();
  other = await stage.newOrg();
});

const CHECKOUT = '/api/billing/checkout';
const TOPUP = '/api/billing/topup';
const PORTAL = '/api/billing/portal';

const post = (path: string, body: unknown, headers = {}, key = org.owner.key) =>
  stage.call('POST', path, { key, body, headers });

/** What the provider was asked to create since the last call. */
function takeWrites(): string[] {
  const writes = stage.proxy.requests.splice(0).filter(({ method }) => method === 'POST');
  return writes.map(({ path }) => path);
}

const retrieve = (id: string) =>
  stage.stripe.checkout.sessions.retrieve(id, { expand: ['line_items'] });

async function checkoutsOf({ orgId }: TestOrg) {
  return stage.server.db.query(
    `SELECT provider_id AS "providerId", plan, credits, created_by_id AS "createdById"
     FROM checkouts WHERE org_id = $1 ORDER BY created_at`,
    [orgId],
  );
}

/** URLs that must not reach the provider, which sends people there. */
const BAD_URLS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'ftp://x.example/',
  '//x.example',
  'x.example',
  '',
  ' ',
  `https://x.example/${'a'.repeat(2_048)}`,
  42,
  ['https://x.example'],
];

describe('POST /billing/checkout', () => {
  it('200: a page of the provider, for the plan and the interval, and our own record of it', async () => {
    takeWrites();
    const before = (await checkoutsOf(org)).length;
    const reply = await post(CHECKOUT, {
      plan: 'team',
      interval: 'annual',
      successUrl: 'https://x.example/thanks',
      cancelUrl: 'http://x.example/no?a=b#c',
    });
    expect(dataOf(reply, 200)).toEqual({
      id: expect.stringMatching(/^cs_/),
      url: expect.stringMatching(/^https?:/),
    });
    const checkout = await retrieve(reply.json.data.id);
    expect(checkout).toMatchObject({
      mode: 'subscription',
      success_url: 'https://x.example/thanks',
      cancel_url: 'http://x.example/no?a=b#c',
      line_items: { data: [{ price: { id: 'sandbox_team_annual' }, quantity: 1 }] },
    });
    expect(takeWrites()).toEqual(['/v1/customers', '/v1/checkout/sessions']);
    const rows = await checkoutsOf(org);
    expect(rows).toHaveLength(before + 1);
    expect(rows.at(-1)).toEqual({
      providerId: checkout.id,
      plan: 'team',
      credits: null,
      createdById: org.owner.userId,
    });
  });

  it('200: monthly, returning to the billing page, by default', async () => {
    for (const more of [{}, { interval: null, successUrl: null, cancelUrl: null }]) {
      const reply = await post(CHECKOUT, { plan: 'pro', ...more });
      const home = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/settings\/billing$/);
      expect(await retrieve(reply.json.data.id)).toMatchObject({
        line_items: { data: [{ price: { id: 'sandbox_pro_monthly' } }] },
        success_url: home,
        cancel_url: home,
      });
    }
  });

  it('200: an org is one customer, also with concurrent requests', async () => {
    const fresh = await stage.newOrg();
    const keys = [fresh.owner.key, fresh.admin.key];
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        post(TOPUP, { pack: 'small' }, {}, keys[at % keys.length]),
      ),
    );
    for (const { status, text } of replies) expect(status, text).toBe(200);
    const customers = await Promise.all(
      replies.map(async ({ json }) => (await retrieve(json.data.id)).customer),
    );
    expect(new Set(customers).size).toBe(1);
    const { email, metadata } = (await stage.stripe.customers.retrieve(
      idOf(customers[0]),
    )) as unknown as { email: string; metadata: object };
    expect([fresh.owner.email, fresh.admin.email]).toContain(email);
    expect(metadata).toEqual({ orgId: fresh.orgId });
  });

  it('200: with an Idempotency-Key one checkout is opened, and the response is replayed', async () => {
    await post(PORTAL, {});
    takeWrites();
    const before = (await checkoutsOf(org)).length;
    const send = () => post(CHECKOUT, { plan: 'pro' }, { 'idempotency-key': 'one-checkout' });
    const replies = await Promise.all(Array.from({ length: 8 }, send));
    replies.push(await send());
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get('idempotency-replayed'))).toHaveLength(8);
    expect(takeWrites()).toEqual(['/v1/checkout/sessions']);
    expect(await checkoutsOf(org)).toHaveLength(before + 1);
    const reused = await post(CHECKOUT, { plan: 'team' }, { 'idempotency-key': 'one-checkout' });
    expect(expectError(reused, 'CONFLICT')['reason']).toBe('idempotency_key_reused');
    const opened = await stage.server.db.query(
      `SELECT 1 AS found FROM audit_entries WHERE org_id = $1 AND action = 'billing.checkout_opened'`,
      [org.orgId],
    );
    expect(opened).toHaveLength((await checkoutsOf(org)).length);
  });

  it('400: unknown plans, intervals and fields, all reported at once', async () => {
    takeWrites();
    expect(problemsOf(await post(CHECKOUT, {}))).toEqual(['body.plan required']);
    for (const plan of ['free', 'Pro', 'pro ', 'constructor', '', null, 1, ['pro'], {}]) {
      expect(problemsOf(await post(CHECKOUT, { plan }))[0]).toMatch(/^body\.plan /);
    }
    const all = { plan: 'gold', interval: 'weekly', successUrl: 'x', price: 1, customer: 'cus_1' };
    expect(problemsOf(await post(CHECKOUT, all)).toSorted()).toEqual([
      'body.customer unknown_field',
      'body.interval invalid_value',
      'body.plan invalid_value',
      'body.price unknown_field',
      expect.stringMatching(/^body\.successUrl /),
    ]);
    expect(takeWrites()).toEqual([]);
  });

  it.each(BAD_URLS)('400: the address %j', async (url) => {
    for (const field of ['successUrl', 'cancelUrl']) {
      const problems = problemsOf(await post(CHECKOUT, { plan: 'pro', [field]: url }));
      expect(problems[0]).toMatch(new RegExp(`^body\\.${field}`));
    }
  });

  it('403: only for the OWNER, with the scope', async () => {
    takeWrites();
    for (const { key } of [org.admin, org.member]) {
      const reply = await post(CHECKOUT, { plan: 'pro' }, {}, key);
      expect(expectError(reply, 'FORBIDDEN')).toMatchObject({ reason: 'role', roles: ['OWNER'] });
    }
    const { key } = await keyWithScopes(stage.server.db, org.orgId, org.owner.userId, [
      'billing:read',
    ]);
    const reply = await post(CHECKOUT, { plan: 'pro' }, {}, key);
    expect(expectError(reply, 'FORBIDDEN')['reason']).toBe('missing_scope');
    expect(takeWrites()).toEqual([]);
  });

  it('409: a subscription is active; the response is stored for the key, and others are not affected', async () => {
    const fresh = await stage.newOrg();
    const { id } = await stage.buy(fresh, { plan: 'pro' });
    await stage.act(id, 'pay');
    await stage.deliver();
    takeWrites();
    const headers = { 'idempotency-key': 'while-it-lives' };
    const send = () => post(CHECKOUT, { plan: 'team' }, headers, fresh.owner.key);
    const refused = await send();
    expect(expectError(refused, 'CONFLICT')).toEqual({ reason: 'subscription_active' });
    const again = await send();
    expect(again.text).toBe(refused.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(takeWrites()).toEqual([]);
    expect((await post(CHECKOUT, { plan: 'team' }, {}, other.owner.key)).status).toBe(200);
  });
});

describe('GET /billing/plans', () => {
  it('200: the credits and prices of each plan, asked of the provider once', async () => {
    stage.proxy.requests.splice(0);
    const replies = await Promise.all(
      [org.owner, org.member, other.owner].map(({ key }) =>
        stage.call('GET', '/api/billing/plans', { key }),
      ),
    );
    for (const reply of replies) {
      expect(reply.json.data).toEqual({
        items: [
          { plan: 'free', credits: 200, prices: [] },
          { plan: 'pro', credits: 2_000, prices: prices(1_900) },
          { plan: 'team', credits: 10_000, prices: prices(8_900) },
          { plan: 'enterprise', credits: 50_000, prices: prices(39_900) },
        ],
        total: 4,
      });
    }
    expect(stage.proxy.requests.map(({ path }) => path).toSorted()).toEqual([
      '/v1/prices/sandbox_enterprise_annual',
      '/v1/prices/sandbox_enterprise_monthly',
      '/v1/prices/sandbox_pro_annual',
      '/v1/prices/sandbox_pro_monthly',
      '/v1/prices/sandbox_team_annual',
      '/v1/prices/sandbox_team_monthly',
    ]);
  });

  const prices = (monthly: number) => [
    { interval: 'monthly', amount: monthly, currency: 'USD' },
    { interval: 'annual', amount: monthly * 10, currency: 'USD' },
  ];
});

describe('POST /billing/topup', () => {
  it.each([
    [{ pack: 'small' }, 500],
    [{ pack: 'medium' }, 2_500],
    [{ pack: 'large' }, 10_000],
    [{ credits: 100 }, 100],
    [{ credits: 250_000 }, 250_000],
    [{ credits: 1e3 }, 1_000],
  ])('200: %j costs a cent per credit', async (body, credits) => {
    const reply = await post(TOPUP, body, {}, org.admin.key);
    expect(reply.status, reply.text).toBe(200);
    expect(await retrieve(reply.json.data.id)).toMatchObject({
      mode: 'payment',
      currency: 'usd',
      amount_total: credits,
    });
    expect((await checkoutsOf(org)).at(-1)).toMatchObject({ plan: null, credits });
  });

  it.each([
    '{}',
    '{"pack":"small","credits":100}',
    '{"pack":"small","credits":null}',
    '{"pack":null}',
    '{"pack":null,"credits":100}',
    '{"pack":"huge"}',
    '{"pack":"constructor"}',
    '{"pack":["small"]}',
    '{"credits":99}',
    '{"credits":250001}',
    '{"credits":0}',
    '{"credits":-100}',
    '{"credits":-0}',
    '{"credits":100.5}',
    '{"credits":1e400}',
    '{"credits":-1e400}',
    '{"credits":9007199254740993}',
    '{"credits":1e-400}',
    '{"credits":"100"}',
    '{"credits":[100]}',
    '{"credits":true}',
    '{"credits":NaN}',
    '{"credits":0x64}',
    '{"credits":100,"currency":"jpy"}',
    '{"pack":"small","successUrl":"https://x.example"}',
    '[]',
    '"small"',
    'null',
    '',
  ])('400: %s', async (body) => {
    takeWrites();
    const before = await checkoutsOf(org);
    problemsOf(await post(TOPUP, body));
    expect(takeWrites()).toEqual([]);
    expect(await checkoutsOf(org)).toEqual(before);
  });

  it('403: a MEMBER', async () => {
    const reply = await post(TOPUP, { pack: 'small' }, {}, org.member.key);
    expect(expectError(reply, 'FORBIDDEN')['reason']).toBe('role');
  });
});

describe('POST /billing/portal', () => {
  it('200: for an OWNER or ADMIN, with or without a body, and a subscription', async () => {
    for (const [key, body] of [
      [org.owner.key, undefined],
      [org.admin.key, {}],
      [org.owner.key, { returnUrl: null }],
      [org.owner.key, { returnUrl: 'https://x.example/back' }],
    ] as const) {
      const reply = await stage.call('POST', PORTAL, { key, ...(body && { body }) });
      expect(dataOf(reply, 200)).toEqual({
        id: expect.stringMatching(/^bps_/),
        url: expect.stringContaining('/portal/'),
      });
    }
  });

  it('200: the same page for the same Idempotency-Key', async () => {
    takeWrites();
    const send = () => post(PORTAL, {}, { 'idempotency-key': 'one-portal' });
    const replies = [await send(), await send()];
    expect(replies[0]?.text).toBe(replies[1]?.text);
    expect(takeWrites()).toEqual(['/v1/billing_portal/sessions']);
  });

  it.each(BAD_URLS)('400: the address %j', async (returnUrl) => {
    expect(problemsOf(await post(PORTAL, { returnUrl }))[0]).toMatch(/^body\.returnUrl/);
  });

  it('400: an unknown field, especially another customer', async () => {
    const reply = await post(PORTAL, { customer: 'cus_other' });
    expect(problemsOf(reply)).toEqual(['body.customer unknown_field']);
  });

  it('403: a MEMBER', async () => {
    const reply = await post(PORTAL, {}, {}, org.member.key);
    expect(expectError(reply, 'FORBIDDEN')['reason']).toBe('role');
  });
});
