import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useServerInfo } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Card, PageHeader, RoleNote } from '../../ui/pages/page.tsx';
import { BillingError } from './billing/billing-error.tsx';
import { CreditsCard } from './billing/credits-card.tsx';
import { readCreditsBefore, useHostedPage, wasCancelled } from './billing/hosted-page.ts';
import { LedgerCard } from './billing/ledger-card.tsx';
import { NothingSold, SandboxPages } from './billing/nothing-sold.tsx';
import { PlansCard } from './billing/plans-card.tsx';
import { useCredits } from './billing/queries.ts';
import { ReturnNote } from './billing/returning.tsx';
import { TopupCard } from './billing/topup-card.tsx';

export function BillingSettings() {
  const { data: server, isPending } = useServerInfo();
  // Whoever comes back from a payment page goes on where they were.
  const [isBack] = useState(() => wasCancelled() || readCreditsBefore() !== undefined);
  const sold = (
    <>
      <PlansCard />
      <TopupCard />
      <PortalCard />
    </>
  );
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Billing">
        The organisation’s plan and credits, and every entry behind the balance.
      </PageHeader>
      <ReturnNote />
      <CreditsCard />
      {server?.payments === 'STRIPE' && sold}
      {server && server.payments !== 'STRIPE' && <NothingSold />}
      {server?.payments === 'SANDBOX' && <SandboxPages isOpenAtFirst={isBack}>{sold}</SandboxPages>}
      {/* Not before what is above it, or it would jump. */}
      {!isPending && <LedgerCard />}
    </div>
  );
}

function PortalCard() {
  const { client, isAdmin } = useWorkspace();
  const { data: credits } = useCredits();
  const portal = useHostedPage(() => client.billing.portal(), credits);
  return (
    <Card
      title="Plan, cards and invoices"
      description="Change or cancel the plan, manage cards and see every invoice in the payment provider’s portal."
    >
      {!isAdmin && <RoleNote>Only an owner or admin can open the portal.</RoleNote>}
      {portal.error && <BillingError error={portal.error} />}
      <div>
        <Button
          isBusy={portal.isPending}
          disabled={!isAdmin}
          onClick={() => portal.mutate(undefined)}
          icon={ExternalLink}
        >
          Manage plan, cards and invoices
        </Button>
      </div>
    </Card>
  );
}
