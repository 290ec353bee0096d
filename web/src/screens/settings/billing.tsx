import { FlaskConical } from 'lucide-react';
import { PageHeader } from '../../ui/pages/page.tsx';
import { CreditsCard } from './billing/credits-card.tsx';
import { isSandbox } from './billing/hosted-page.ts';
import { LedgerCard } from './billing/ledger-card.tsx';
import { PlansCard } from './billing/plans-card.tsx';
import { PortalCard } from './billing/portal-card.tsx';
import { ReturnNote } from './billing/returning.tsx';
import { TopupCard } from './billing/topup-card.tsx';

export function BillingSettings() {
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Billing">
        The organisation’s plan and credits, and every entry behind the balance.
      </PageHeader>
      {isSandbox() && (
        <p className="flex items-start gap-2 rounded-md border border-warn bg-warn-soft px-3 py-2 text-sm">
          <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
          <span>
            <strong>Sandbox.</strong> Payments on this server are simulated. The pages work, but no
            money moves.
          </span>
        </p>
      )}
      <ReturnNote />
      <CreditsCard />
      <PlansCard />
      <TopupCard />
      <PortalCard />
      <LedgerCard />
    </div>
  );
}
