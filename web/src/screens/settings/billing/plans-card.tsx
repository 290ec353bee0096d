import { Check } from 'lucide-react';
import { useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Choice } from '../../../ui/controls/choice.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { Card, RoleNote } from '../../../ui/pages/page.tsx';
import { BillingError } from './billing-error.tsx';
import { cancelUrl, useHostedPage } from './hosted-page.ts';
import { count, PLANS, priceInWords, type Interval, type Plan } from './plans.ts';
import { useCredits, usePlans } from './queries.ts';

const INTERVALS: Record<Interval, string> = { monthly: 'Monthly', annual: 'Annual' };
const ORDER = ['free', 'pro', 'team', 'enterprise'] as const;

export function PlansCard() {
  const { client, org } = useWorkspace();
  const { data: credits } = useCredits();
  const { data: offers } = usePlans();
  const [interval, setInterval] = useState<Interval>('monthly');
  const checkout = useHostedPage(
    (plan: Exclude<Plan, 'free'>) =>
      client.billing.checkout({ plan, interval, cancelUrl: cancelUrl() }),
    credits,
  );
  const portal = useHostedPage(() => client.billing.portal(), credits);
  const isOwner = org.role === 'OWNER';
  const hasPaidPlan = credits !== undefined && credits.plan !== 'free';
  return (
    <Card
      title="Plans"
      description="Each plan adds its credits every month, with annual billing too. Unused plan credits expire at the end of the month."
      actions={
        <Choice
          label="Billing interval"
          isLabelHidden
          options={INTERVALS}
          value={interval}
          onChange={setInterval}
        />
      }
    >
      {!isOwner && <RoleNote>Only an owner can choose a plan.</RoleNote>}
      {isOwner && hasPaidPlan && (
        <RoleNote>
          Your organisation has a paid plan. To change or cancel it, use “Manage plan, cards and
          invoices” below.
        </RoleNote>
      )}
      {(checkout.error ?? portal.error) && (
        <BillingError
          error={checkout.error ?? portal.error}
          onPortal={() => portal.mutate(undefined)}
        />
      )}
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {ORDER.map((plan) => (
          <PlanOffer
            key={plan}
            plan={plan}
            price={offers && priceInWords(offers, plan, interval)}
            isCurrent={credits?.plan === plan}
            isBusy={checkout.isPending && checkout.variables === plan}
            disabled={!isOwner || hasPaidPlan || !credits || checkout.isPending}
            onChoose={() => plan !== 'free' && checkout.mutate(plan)}
          />
        ))}
      </ul>
      <p className="text-note text-muted">Taxes may be added on the payment page.</p>
    </Card>
  );
}

interface OfferProps {
  plan: Plan;
  /** Undefined while loading. */
  price: string | undefined;
  isCurrent: boolean;
  isBusy: boolean;
  disabled: boolean;
  onChoose: () => void;
}

function PlanOffer({ plan, price, isCurrent, isBusy, disabled, onChoose }: OfferProps) {
  const { name, credits, isFor } = PLANS[plan];
  return (
    <li
      className={cx(
        'flex flex-col gap-2 rounded-lg border p-3',
        isCurrent ? 'border-accent bg-accent-soft' : 'border-line',
      )}
    >
      <div className="flex min-h-6 flex-wrap items-center justify-between gap-1">
        <h3 className="font-medium">{name}</h3>
        {isCurrent && (
          <Badge tone="accent">
            <Check aria-hidden className="size-3" />
            Your plan
          </Badge>
        )}
      </div>
      <p className="min-h-6 font-semibold tabular-nums">{price}</p>
      <p className="text-sm">
        <span className="font-semibold tabular-nums">{count(credits)}</span> credits a month
      </p>
      <p className="flex-1 text-note">{isFor}</p>
      {plan !== 'free' && !isCurrent && (
        <Button size="small" isBusy={isBusy} disabled={disabled} onClick={onChoose}>
          Choose {name}
        </Button>
      )}
    </li>
  );
}
