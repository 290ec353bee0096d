/** For tests that play what nobody can click here: banks that dispute a payment or send money late. */
export { completeCheckout, lineOf } from './checkouts.ts';
export { emitEvent } from './events.ts';
export { doWork, type SandboxHost } from './host.ts';
export { newId, type Checkout, type Dispute } from './objects.ts';
export { takePayment } from './payments.ts';
export { getObject, insertObject, listObjects, lockObject, saveObject } from './store.ts';
