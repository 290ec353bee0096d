import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Checkout, Customer } from '../src/objects.ts';
import { checkoutPage } from '../src/pages/checkout-page.ts';
import { portalPage } from '../src/pages/portal-page.ts';
import { startSandboxStage, type SandboxStage } from './stage.ts';

let stage: SandboxStage;
let stripe: Stripe;

beforeAll(async () => {
  stage = await startSandboxStage();
  ({ stripe } = stage);
});
afterAll(() => stage.stop());

const HOSTILE = `"><script>alert('x')</script>&amp;<img src=x onerror=alert(1)>`;

async function openCheckout(more: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const { id: customer } = await stripe.customers.create({ name: HOSTILE, email: HOSTILE });
  const price_data = { currency: 'usd', unit_amount: 5_000, product_data: { name: HOSTILE } };
  const checkout = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price_data, quantity: 1 }],
    customer,
    success_url: `${stage.origin}/thanks?"'<>&id={CHECKOUT_SESSION_ID}`,
    cancel_url: `${stage.origin}/cancelled?"'<>`,
    ...more,
  });
  return { customer, checkout, url: checkout.url ?? '' };
}

async function openPortal(customer: string, return_url = `${stage.origin}/back?"'<>`) {
  return (await stripe.billingPortal.sessions.create({ customer, return_url })).url;
}

function expectSafe(reply: Response, body: string) {
  expect(body).not.toContain('<script');
  expect(body).not.toContain('<img');
  expect(body).not.toMatch(/\son\w+=["']/);
  expect(body.match(/<style>/g)).toHaveLength(1);
  const policy = reply.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src data:; /);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(reply.headers.get('referrer-policy')).toBe('same-origin');
  expect(reply.headers.get('cache-control')).toBe('no-store');
}

describe('/sandbox/checkout/{id}', () => {
  it('says that it is a sandbox and what it costs, and escapes everything', async () => {
    const { url } = await openCheckout();
    const reply = await fetch(url);
    const body = await reply.text();
    expect(reply.status).toBe(200);
    expectSafe(reply, body);
    expect(body).toContain('No real money moves');
    expect(body).toContain('$50.00');
    expect(body).toContain('&#60;script&#62;alert(&#39;x&#39;)');
    expect(body).toContain('Pay (sandbox)');
    const policy = reply.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`form-action 'self' ${stage.origin};`);
  });

  it.each([
    ['https://shop.example/a?b', "'self' https://shop.example"],
    ['http://[::1]:8080/', "'self' http:"],
    ['https://a;script-src.example/', "'self' https:"],
    ['https://*/', "'self' https:"],
  ])('lets a form lead to %s and nothing more', async (success_url, allowed) => {
    const { url } = await openCheckout({ success_url, cancel_url: success_url });
    const policy = (await fetch(url)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`; form-action ${allowed}; base-uri 'none'; `);
    expect(policy).not.toContain('script-src');
  });

  it('leads to success or back, and never charges twice', async () => {
    const { url, checkout, customer } = await openCheckout();
    const cancelled = await stage.post(url, { action: 'cancel' });
    expect(cancelled.status).toBe(303);
    expect(cancelled.headers.get('location')).toBe(`${stage.origin}/cancelled?%22%27%3C%3E`);
    expect((await stage.post(url, { action: 'pay' })).status).toBe(303);
    const again = await stage.post(url, { action: 'decline' });
    expect(again.headers.get('location')).toContain(`id=${checkout.id}`);
    const shown = await fetch(url);
    const body = await shown.text();
    expectSafe(shown, body);
    expect(body).toContain('Already paid');
    expect(body).not.toContain('<button');
    expect((await stripe.charges.list({ customer })).data).toHaveLength(1);
  });

  it.each(['nope', 'cs_test_', '%00', 'a%2F..%2Fb', '%3Cscript%3E', 'x'.repeat(5_000)])(
    '404: %s',
    async (id) => {
      for (const kind of ['checkout', 'portal']) {
        const url = `${stage.origin}/sandbox/${kind}/${id}`;
        for (const reply of [await fetch(url), await stage.post(url, { action: 'pay' })]) {
          expect(reply.status).toBe(404);
          expectSafe(reply, await reply.text());
        }
      }
    },
  );

  it('ignores an unknown action', async () => {
    const { url, checkout } = await openCheckout();
    for (const body of ['', 'action=', 'action=constructor', 'x=%00', '%%%']) {
      const reply = await fetch(url, { method: 'POST', body });
      expect(reply.status).toBe(200);
    }
    expect(await stripe.checkout.sessions.retrieve(checkout.id)).toMatchObject({ status: 'open' });
  });

  it('links to no javascript: URL, even one that got into the database', () => {
    const url = 'javascript:alert(1)';
    const stored = { status: 'expired', cancel_url: url, success_url: 'https://x.example' };
    const closed = checkoutPage({ checkout: stored as Checkout, customer: undefined });
    const customer = { id: 'cus_1', name: 'A', email: null } as Customer;
    const portal = portalPage({ subscriptions: [], customer, returnUrl: url });
    for (const { body } of [closed, portal]) expect(body).not.toContain('javascript:');
  });
});

describe('/sandbox/portal/{id}', () => {
  it('changes, cancels and resumes the plan', async () => {
    const { url, customer } = await openCheckout({
      mode: 'subscription',
      line_items: [{ price: 'sandbox_pro_monthly', quantity: 1 }],
    });
    await stage.post(url, { action: 'pay' });
    const [subscription] = (await stripe.subscriptions.list({ customer })).data;
    const id = subscription?.id ?? '';
    const portal = await openPortal(customer);
    const reply = await fetch(portal);
    const body = await reply.text();
    expectSafe(reply, body);
    expect(body).toContain('Atrium Pro, monthly');
    expect(body).toContain('$19.00 per month');
    expect(body).toContain(`href="${stage.origin}/back?%22%27%3C%3E"`);

    const act = async (action: string, more = {}) => {
      const done = await stage.post(portal, { subscription: id, action, ...more });
      expect(done.status).toBe(303);
      expect(done.headers.get('location')).toBe(new URL(portal).pathname);
      return stripe.subscriptions.retrieve(id);
    };
    const changed = await act('change', { price: 'sandbox_team_annual' });
    expect(changed.items.data[0]?.price.id).toBe('sandbox_team_annual');
    expect(await act('cancel')).toMatchObject({ cancel_at_period_end: true });
    expect(await (await fetch(portal)).text()).toContain('Keep plan');
    expect(await act('resume')).toMatchObject({ cancel_at_period_end: false });
    await stripe.subscriptions.cancel(id);
    expect(await (await fetch(portal)).text()).toContain('No plan');
  });

  it("409: another customer's subscription", async () => {
    const { subscription } = await stage.subscribe();
    const { id: stranger } = await stripe.customers.create({ name: 'Stranger' });
    const portal = await openPortal(stranger);
    for (const form of [
      { subscription, action: 'cancel' },
      { subscription: 'sub_none', action: 'cancel' },
      { action: 'cancel' },
      { subscription: '\0', action: 'cancel' },
    ] as Record<string, string>[]) {
      const reply = await stage.post(portal, form);
      expect(reply.status).toBe(409);
      expectSafe(reply, await reply.text());
    }
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      cancel_at_period_end: false,
    });
  });

  it('404: after an hour', async () => {
    const { customer } = await openCheckout();
    const portal = await openPortal(customer);
    stage.setNow(new Date(Date.now() + 3_601_000));
    try {
      expect((await fetch(portal)).status).toBe(404);
      expect((await stage.post(portal, { action: 'cancel' })).status).toBe(404);
    } finally {
      stage.setNow(undefined);
    }
  });
});

const browserPath = process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium';

describe.runIf(existsSync(browserPath))('in a browser', () => {
  it(
    'a person pays without JavaScript and arrives at another origin',
    { timeout: 120_000 },
    async () => {
      const browser = await chromium.launch({
        executablePath: browserPath,
        args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      });
      try {
        // Another origin for the browser, the same server for us.
        const success = `${stage.origin.replace('127.0.0.1', 'localhost')}/thanks`;
        const { url, customer } = await openCheckout({ success_url: success });
        const context = await browser.newContext({ javaScriptEnabled: false });
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('console', (message) => void complaints.push(message.text()));
        await page.goto(url);
        await page.getByRole('button', { name: 'Pay with a declined card' }).click();
        expect(await page.getByRole('alert').textContent()).toContain('declined');
        await page.getByRole('button', { name: 'Pay (sandbox)' }).click();
        await page.waitForURL(success);
        await page.goto(await openPortal(customer));
        await page.getByRole('heading', { name: 'No plan' }).waitFor();
        await page.getByRole('link', { name: 'Back to Atrium' }).click();
        await page.waitForURL('**/back**');
        expect(complaints.filter((text) => text.includes('Content Security Policy'))).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );
});
