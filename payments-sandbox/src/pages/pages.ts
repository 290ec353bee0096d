import { PORTAL_SECONDS } from '../api/operations.ts';
import { payCheckout } from '../checkouts.ts';
import { SandboxFailure } from '../failure.ts';
import { doWork, nowOf, type SandboxHost, type Work } from '../host.ts';
import { findObject, listObjects } from '../store.ts';
import { checkoutPage, successUrlOf } from './checkout-page.ts';
import { html } from './html.ts';
import { goTo, page, type PageResponse } from './layout.ts';
import { actOnPortal } from './portal-actions.ts';
import { portalPage, type PortalView } from './portal-page.ts';

export type { PageResponse };

/** Each shows its page or, given a submitted form, acts on it. The unguessable id is the credential. */
export interface SandboxPages {
  checkout(id: string, form?: string): Promise<PageResponse>;
  portal(id: string, form?: string): Promise<PageResponse>;
}

export function createSandboxPages(host: SandboxHost): SandboxPages {
  const guarded =
    (serve: typeof serveCheckout) =>
    async (id: string, form?: string): Promise<PageResponse> => {
      if (!/^\w{1,200}$/.test(id)) return notFound();
      const response = await serve(host, id, form === undefined ? form : new URLSearchParams(form));
      return response ?? notFound();
    };
  return { checkout: guarded(serveCheckout), portal: guarded(servePortal) };
}

async function serveCheckout(
  host: SandboxHost,
  id: string,
  form: URLSearchParams | undefined,
): Promise<PageResponse | undefined> {
  const before = await findObject(host.db, 'checkout.session', id);
  if (!before) return undefined;
  const action = form?.get('action');
  if (action === 'pay') await doWork(host, (work) => payCheckout(work, id));
  const found = (await findObject(host.db, 'checkout.session', id)) ?? before;
  if (action === 'cancel' && found.cancel_url !== null) return goTo(new URL(found.cancel_url).href);
  // A second click on Pay charges nothing and leads on.
  if (action && found.status === 'complete') return goTo(successUrlOf(found));
  const isLate = found.status === 'open' && found.expires_at <= nowOf(host);
  return checkoutPage({
    checkout: isLate ? { ...found, status: 'expired' } : found,
    customer: await findObject(host.db, 'customer', found.customer ?? ''),
    problem: action === 'decline' ? 'Your card was declined.' : undefined,
  });
}

async function servePortal(
  host: SandboxHost,
  id: string,
  form: URLSearchParams | undefined,
): Promise<PageResponse | undefined> {
  let problem: string | undefined;
  if (form !== undefined) {
    try {
      return await doWork(host, async (work) => {
        const portal = await readPortal(work, id);
        if (portal) await actOnPortal(work, portal.customer.id, form);
        return portal && goTo(`/sandbox/portal/${id}`);
      });
    } catch (error) {
      if (!(error instanceof SandboxFailure)) throw error;
      problem = error.message;
    }
  }
  const view = await doWork(host, (work) => readPortal(work, id));
  return view && portalPage({ ...view, problem });
}

/** Undefined if the portal is unknown or has expired. */
async function readPortal({ tx, now }: Work, id: string): Promise<PortalView | undefined> {
  const portal = await findObject(tx, 'billing_portal.session', id);
  if (!portal || portal.created + PORTAL_SECONDS <= now) return undefined;
  const customer = await findObject(tx, 'customer', portal.customer);
  if (!customer) return undefined;
  const found = await listObjects(tx, 'subscription', { customer: customer.id });
  const subscriptions = found.filter(({ status }) => status !== 'canceled');
  return { customer, returnUrl: portal.return_url, subscriptions };
}

function notFound(): PageResponse {
  return page({
    status: 404,
    title: 'Page not found',
    content: html`<section>
      <p>This link is wrong or has expired. Open billing in Atrium to get a new one.</p>
    </section>`,
  });
}
