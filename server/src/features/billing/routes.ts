import { defineRoute, type Route } from '../../http/route.ts';
import { presentList, presentPage } from '../../lists/present.ts';
import { presentLedgerEntry } from './present.ts';
import {
  Checkout,
  Credits,
  HostedPage,
  LedgerPage,
  ListLedger,
  ListUsage,
  PlanOfferList,
  Portal,
  Topup,
  UsageList,
} from './schema.ts';
import {
  getCredits,
  listLedger,
  listPlans,
  listUsage,
  openPlanCheckout,
  openPortal,
  openTopup,
  recordCheckout,
} from './service.ts';

const usageExample = {
  day: '2026-11-15',
  model: 'gpt-5.1',
  userId: 'cmf3k2v8q0000x5p7h9d4t6wz',
  replies: 3,
  inputTokens: 4210,
  outputTokens: 612,
  credits: 12,
};

const pageExample = { url: 'https://checkout.stripe.com/c/pay/cs_a1b2', id: 'cs_a1b2' };
const CALLS_OUT =
  'Calls the payment provider. If it is unavailable, nothing was bought, and it is safe to send the request again with the same Idempotency-Key.';

const read = { tag: 'Billing', auth: 'user', scope: 'billing:read', limit: 'read' } as const;
const write = { tag: 'Billing', auth: 'user', scope: 'billing:write', limit: 'write' } as const;

export const billingRoutes: Route[] = [
  defineRoute({
    ...write,
    operationId: 'createCheckout',
    method: 'POST',
    path: '/billing/checkout',
    summary: 'Start a plan checkout',
    description: `Returns the payment provider's page to send the person to. If there is an active subscription: 409 \`subscription_active\`; change the plan in the portal instead. Requires OWNER. ${CALLS_OUT}`,
    roles: ['OWNER'],
    request: { body: Checkout },
    mayReplay: 'always',
    response: HostedPage,
    example: { request: { plan: 'pro', interval: 'monthly' }, response: pageExample },
    callOut: (ctx, { body }, key) => openPlanCheckout(ctx, body, key),
    handler: (ctx, _input, opened) => recordCheckout(ctx, opened),
  }),
  defineRoute({
    ...write,
    operationId: 'createTopup',
    method: 'POST',
    path: '/billing/topup',
    summary: 'Buy credits',
    description: `Send either \`pack\` (small: 500, medium: 2,500, large: 10,000 credits) or \`credits\`. One credit costs 0.01 USD. Bought credits never expire. Requires OWNER or ADMIN. ${CALLS_OUT}`,
    roles: ['OWNER', 'ADMIN'],
    request: { body: Topup },
    mayReplay: 'always',
    response: HostedPage,
    example: { request: { pack: 'small' }, response: pageExample },
    callOut: (ctx, { body }, key) => openTopup(ctx, body, key),
    handler: (ctx, _input, opened) => recordCheckout(ctx, opened),
  }),
  defineRoute({
    ...write,
    operationId: 'createPortal',
    method: 'POST',
    path: '/billing/portal',
    summary: 'Open the customer portal',
    description: `The page for changing or cancelling the plan and for invoices. Requires OWNER or ADMIN. ${CALLS_OUT}`,
    roles: ['OWNER', 'ADMIN'],
    request: { body: Portal },
    mayReplay: 'always',
    response: HostedPage,
    example: {
      request: {},
      response: { url: 'https://billing.stripe.com/p/session/bps_a1b2', id: 'bps_a1b2' },
    },
    callOut: (ctx, { body }, key) => openPortal(ctx, body.returnUrl, key),
    handler: async (_ctx, _input, page) => page,
  }),
  defineRoute({
    ...read,
    operationId: 'getCredits',
    method: 'GET',
    path: '/billing/credits',
    summary: 'Get the credit balance',
    description: 'What the organisation can spend, and where the credits come from.',
    response: Credits,
    example: {
      response: {
        balance: 650,
        reserved: 0,
        included: 150,
        topup: 500,
        plan: 'free',
        renewsAt: '2026-12-01T00:00:00.000Z',
      },
    },
    async handler(ctx) {
      const { renewsAt, ...credits } = await getCredits(ctx);
      return { ...credits, renewsAt: renewsAt?.toISOString() ?? null };
    },
  }),
  defineRoute({
    ...read,
    operationId: 'listPlans',
    method: 'GET',
    path: '/billing/plans',
    summary: 'List plans',
    description: 'What each plan includes and costs, as the payment provider has it.',
    extension: true,
    response: PlanOfferList,
    example: {
      response: {
        items: [
          { plan: 'free', credits: 200, prices: [] },
          {
            plan: 'pro',
            credits: 2000,
            prices: [{ interval: 'monthly', amount: 1900, currency: 'USD' }],
          },
        ],
        total: 2,
      },
    },
    handler: async (ctx) => presentList(await listPlans(ctx), (offer) => offer),
  }),
  defineRoute({
    ...read,
    operationId: 'listLedger',
    method: 'GET',
    path: '/billing/ledger',
    summary: 'List ledger entries',
    description: 'Every change to the balance, newest first. Entries are never changed or removed.',
    extension: true,
    request: { query: ListLedger },
    response: LedgerPage,
    example: {
      response: {
        items: [
          {
            id: 'cmf3k2v8q0009x5p7h9d4t6wz',
            kind: 'GRANT',
            credits: 200,
            source: 'included:free:2026-11',
            messageId: null,
            createdAt: '2026-11-15T09:30:00.000Z',
          },
        ],
        total: 1,
        page: 1,
        limit: 20,
      },
    },
    handler: async (ctx, { query }) =>
      presentPage(await listLedger(ctx, query), query, presentLedgerEntry),
  }),
  defineRoute({
    ...read,
    operationId: 'listUsage',
    method: 'GET',
    path: '/billing/usage',
    summary: 'List usage',
    description:
      "What the models' replies used, by day (UTC), model and the person who asked, newest day first. At most 366 days per request.",
    extension: true,
    request: { query: ListUsage },
    response: UsageList,
    example: { response: { items: [usageExample], total: 1 } },
    handler: async (ctx, { query }) => presentList(await listUsage(ctx, query), (usage) => usage),
  }),
];
