import type Stripe from 'stripe';
import { newSandboxId } from '../store.ts';

export interface CustomerDraft {
  name?: string | undefined;
  email?: string | undefined;
  description?: string | undefined;
  metadata?: Stripe.Metadata | undefined;
}

export function newCustomer(draft: CustomerDraft, now: number): Stripe.Customer {
  return {
    id: newSandboxId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: draft.description ?? null,
    email: draft.email ?? null,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: draft.metadata ?? {},
    name: draft.name ?? null,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  };
}
