import { ExternalLink } from 'lucide-react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Card, RoleNote } from '../../../ui/pages/page.tsx';
import { BillingError } from './billing-error.tsx';
import { useHostedPage } from './hosted-page.ts';
import { useCredits } from './queries.ts';

export function PortalCard() {
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
