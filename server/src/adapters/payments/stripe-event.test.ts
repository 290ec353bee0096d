import { createHmac } from 'node:crypto';
import { Stripe } from 'stripe';
import { describe, expect, it } from 'vitest';
import { WrongSignature } from './payments.ts';
import { readStripeEvent } from './stripe-event.ts';

const SECRET = 'whsec_test';
const stripe = new Stripe('sk_test_x');

function read(event: object, secret: string | undefined = SECRET) {
  const body = Buffer.from(JSON.stringify(event));
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', SECRET).update(`${time}.`).update(body).digest('hex');
  return readStripeEvent(stripe, body, `t=${time},v1=${signature}`, secret);
}

const eventOf = (type: string, object: object) => ({
  id: 'evt_1',
  object: 'event',
  type,
  data: { object },
});

describe('what an event is about', () => {
  const invoice = { parent: { subscription_details: { subscription: 'sub_1' } } };
  it.each([
    ['checkout.session.completed', { id: 'cs_1' }, 'cs_1'],
    ['checkout.session.async_payment_succeeded', { id: 'cs_1' }, 'cs_1'],
    ['invoice.paid', { id: 'in_1', ...invoice }, 'sub_1'],
    ['invoice.payment_failed', { id: 'in_1', ...invoice }, 'sub_1'],
    ['invoice.paid, of an older API', { id: 'in_1', subscription: 'sub_1' }, 'sub_1'],
    ['customer.subscription.updated', { id: 'sub_1' }, 'sub_1'],
    ['customer.subscription.deleted', { id: 'sub_1' }, 'sub_1'],
    ['charge.refunded', { id: 'ch_1', payment_intent: 'pi_1' }, 'pi_1'],
    ['charge.refunded, expanded', { id: 'ch_1', payment_intent: { id: 'pi_1' } }, 'pi_1'],
    ['charge.dispute.created', { id: 'dp_1', payment_intent: 'pi_1' }, 'pi_1'],
    ['charge.dispute.closed', { id: 'dp_1', payment_intent: 'pi_1' }, 'pi_1'],
  ])('%s', (name, object, objectId) => {
    const [type = ''] = name.split(',');
    expect(read(eventOf(type, object))).toEqual({ id: 'evt_1', type, objectId });
  });

  it.each([
    ['invoice.paid', { id: 'in_1', parent: null }],
    ['invoice.paid', { id: 'in_1' }],
    ['charge.refunded', { id: 'ch_1', payment_intent: null }],
    ['checkout.session.completed', {}],
    ['customer.created', { id: 'cus_1' }],
    ['toString', { id: 'x' }],
  ])('is none of ours: %s %j', (type, object) => {
    expect(read(eventOf(type, object))).toBeUndefined();
  });
});

it('without a secret, no event is accepted', () => {
  const body = Buffer.from('{}');
  expect(() => readStripeEvent(stripe, body, 't=1,v1=a', undefined)).toThrow(WrongSignature);
});
