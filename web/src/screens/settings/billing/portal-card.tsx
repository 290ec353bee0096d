import { ExternalLink } from 'lucide-react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, RoleNote } from '../../../ui/page.tsx';
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
      description="The payment provider’s portal changes or cancels the plan, keeps your cards, and has every invoice."
    >
      {!isAdmin && <RoleNote>An OWNER or an ADMIN of the org can open the portal.</RoleNote>}
      {portal.error && <BillingError error={portal.error} />}
      <div>
        <Button
          isBusy={portal.isPending}
          disabled={!isAdmin}
          onClick={() => portal.mutate(undefined)}
        >
          <ExternalLink aria-hidden className="size-4" />
          Manage plan, cards and invoices
        </Button>
      </div>
    </Card>
  );
}
