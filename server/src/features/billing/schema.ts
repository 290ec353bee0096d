import { z } from 'zod';
import { INTERVALS, PAID_PLANS } from '../../adapters/payments/payments.ts';
import {
  httpUrl,
  listOf,
  optional,
  pageOf,
  pageQuery,
  recordId,
  timestamp,
} from '../../core/fields.ts';

export const Usage = z
  .object({
    day: z.iso.date().meta({ description: 'In UTC.' }),
    model: z.string(),
    userId: recordId().meta({ description: 'The person who asked.' }),
    replies: z.int(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    credits: z.int(),
  })
  .meta({ id: 'Usage' });
export type Usage = z.output<typeof Usage>;

export const UsageList = listOf(Usage).meta({ id: 'UsageList' });

/** There is no older usage, and PostgreSQL rejects dates before the year 1. */
const day = () =>
  z.iso.date().refine((text) => text >= '2000', 'must be in the year 2000 or later');

export const ListUsage = z.strictObject({
  from: day().optional().meta({ description: 'The first day. Default: 29 days before `to`.' }),
  to: day().optional().meta({ description: 'The last day. Default: today.' }),
});

export type ListUsage = z.output<typeof ListUsage>;

export const Credits = z
  .object({
    balance: z
      .int()
      .meta({ description: 'The sum of the ledger. A refund can take it below zero.' }),
    reserved: z.int().meta({ description: 'Held for replies in progress.' }),
    included: z
      .int()
      .meta({ description: "What is left of the plan's credits. They are spent first." }),
    topup: z.int().meta({ description: 'Bought credits. They never expire.' }),
    plan: z.enum(['free', ...PAID_PLANS]),
    renewsAt: timestamp()
      .nullable()
      .meta({ description: 'When the included credits renew. Null if none are due.' }),
  })
  .meta({ id: 'Credits' });

export const PlanOffer = z
  .object({
    plan: Credits.shape.plan,
    credits: z.int().meta({ description: 'Included every month.' }),
    prices: z
      .array(
        z.object({
          interval: z.enum(INTERVALS),
          amount: z.int().meta({ description: "In the currency's smallest unit, such as cents." }),
          currency: z.string().meta({ description: 'ISO 4217, in capitals.', example: 'USD' }),
        }),
      )
      .meta({
        description:
          'Empty for the free plan, for a plan that this server does not sell, and while the payment provider is unavailable.',
      }),
  })
  .meta({ id: 'PlanOffer' });
export type PlanOffer = z.output<typeof PlanOffer>;

export const PlanOfferList = listOf(PlanOffer).meta({ id: 'PlanOfferList' });

export const LedgerEntry = z
  .object({
    id: recordId(),
    kind: z.enum(['GRANT', 'TOPUP', 'USAGE', 'LAPSE', 'REFUND']),
    credits: z
      .int()
      .meta({ description: 'Negative if credits were spent, expired or were taken back.' }),
    source: z
      .string()
      .meta({ description: 'Where the entry comes from. Each source counts once.' }),
    messageId: recordId().nullable().meta({
      description:
        'The reply that was charged. Null, and `source` is only `message`, if you may not read it.',
    }),
    createdAt: timestamp(),
  })
  .meta({ id: 'LedgerEntry' });

export const LedgerPage = pageOf(LedgerEntry).meta({ id: 'LedgerPage' });
export const ListLedger = pageQuery();

export const HostedPage = z
  .object({
    url: z.string().meta({ description: 'Send the person to this page.' }),
    id: z.string().meta({ description: "The payment provider's id of the page." }),
  })
  .meta({ id: 'HostedPage' });

export const Checkout = z
  .strictObject({
    plan: z.enum(PAID_PLANS),
    interval: optional(z.enum(INTERVALS)).meta({ description: 'Default: monthly.' }),
    successUrl: optional(httpUrl()),
    cancelUrl: optional(httpUrl()),
  })
  .meta({ id: 'Checkout' });

export const Topup = z
  .union([
    z.strictObject({ pack: z.enum(['small', 'medium', 'large']) }),
    z.strictObject({ credits: z.int().min(100).max(250_000) }),
  ])
  .meta({ id: 'Topup', description: 'Either a pack or a number of credits.' });

export const Portal = z.strictObject({ returnUrl: optional(httpUrl()) }).meta({ id: 'Portal' });

export type Checkout = z.output<typeof Checkout>;
export type Topup = z.output<typeof Topup>;
