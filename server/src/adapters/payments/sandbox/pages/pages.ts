import { payCheckout } from '../checkouts.ts';
import { SandboxFailure } from '../failure.ts';
import { findObject, idOf } from '../store.ts';
import { doWork, type SandboxParts, type Work } from '../work.ts';
import { checkoutPage, successUrlOf } from './checkout-page.ts';
import { html } from './html.ts';
import { goTo, page, type PageAnswer } from './layout.ts';
import { actOnPortal } from './portal-actions.ts';
import { readPortal } from './portal-view.ts';
import { portalPage } from './portal-page.ts';

export type { PageAnswer };

/** Each shows its page or, given what a form sent, does as it says. The unguessable id is the credential. */
export interface SandboxPages {
  checkout(id: string, form?: string): Promise<PageAnswer>;
  portal(id: string, form?: string): Promise<PageAnswer>;
}

export function createSandboxPages(parts: SandboxParts): SandboxPages {
  return {
    checkout: (id, form) =>
      isPageId(id) ? serveCheckout(parts, id, form) : Promise.resolve(unknownPage()),
    portal: (id, form) =>
      isPageId(id) ? servePortal(parts, id, form) : Promise.resolve(unknownPage()),
  };
}

function isPageId(id: string): boolean {
  return /^\w{1,200}$/.test(id);
}

const OUTCOMES = { pay: 'succeeded', 'pay-later': 'pending', decline: 'failed' } as const;

async function serveCheckout(
  parts: SandboxParts,
  id: string,
  form: string | undefined,
): Promise<PageAnswer> {
  const action = form === undefined ? undefined : new URLSearchParams(form).get('action');
  if (action === 'pay' || action === 'decline' || action === 'pay-later') {
    const known = await findObject(parts.db, 'checkout.session', id);
    if (!known) return unknownPage();
    const paid = await doWork(parts, (work) => payCheckout(work, id, OUTCOMES[action]));
    if (paid && action === 'decline') return showCheckout(parts, id, 'The card was declined.');
  }
  const checkout = await findObject(parts.db, 'checkout.session', id);
  if (!checkout) return unknownPage();
  if (action === 'cancel' && checkout.cancel_url !== null) {
    return goTo(new URL(checkout.cancel_url).href);
  }
  // Who clicks twice has paid once, and wants to go on.
  if (action && checkout.status === 'complete') return goTo(successUrlOf(checkout));
  return showCheckout(parts, id);
}

async function showCheckout(
  { db, now }: SandboxParts,
  id: string,
  problem?: string,
): Promise<PageAnswer> {
  const checkout = await findObject(db, 'checkout.session', id);
  if (!checkout) return unknownPage();
  const customer =
    checkout.customer === null
      ? undefined
      : await findObject(db, 'customer', idOf(checkout.customer));
  const isLate = checkout.status === 'open' && checkout.expires_at <= now();
  const shown = isLate ? { ...checkout, status: 'expired' as const } : checkout;
  return checkoutPage({ checkout: shown, customer, ...(problem !== undefined && { problem }) });
}

async function servePortal(
  parts: SandboxParts,
  id: string,
  form: string | undefined,
): Promise<PageAnswer> {
  let problem: string | undefined;
  if (form !== undefined) {
    try {
      const isKnown = await doWork(parts, (work) => act(work, id, new URLSearchParams(form)));
      return isKnown ? goTo(`/sandbox/portal/${id}`) : unknownPage();
    } catch (error) {
      if (!(error instanceof SandboxFailure)) throw error;
      problem = error.message;
    }
  }
  const view = await doWork(parts, (work) => readPortal(work, id));
  return view ? portalPage({ ...view, problem }) : unknownPage();
}

async function act(work: Work, id: string, form: URLSearchParams): Promise<boolean> {
  const view = await readPortal(work, id);
  if (view) await actOnPortal(work, view.customer.id, form);
  return view !== undefined;
}

function unknownPage(): PageAnswer {
  return page({
    status: 404,
    title: 'There is no such page',
    content: html`<section>
      <p>The address is not known, or not any more. Open it again from Atrium's billing page.</p>
    </section>`,
  });
}
