import type { Credits } from '@atrium/sdk';
import { useId } from 'react';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { Day } from '../../../ui/marks/time.tsx';
import { countOf } from '../../../ui/text/count-of.ts';
import { count, PLANS } from './plans.ts';
import { useCredits } from './queries.ts';

/** The balance and what it consists of. */
export function CreditsCard() {
  const credits = useCredits();
  return (
    <Card
      title="Credits"
      description="Agents’ answers cost credits. Plan credits are used first. Credits you buy never expire."
    >
      <Loading of={credits}>
        <Skeleton className="h-44 w-full" />
      </Loading>
      {credits.data && !credits.error && <Standing credits={credits.data} />}
    </Card>
  );
}

function Standing({ credits }: { credits: Credits }) {
  const { balance, included, reserved, topup, plan, renewsAt } = credits;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <p className="text-3xl font-semibold tabular-nums">
          <span>{count(balance)}</span>{' '}
          <span className="text-base font-normal text-muted">
            {balance === 1 ? 'credit' : 'credits'}
          </span>
        </p>
        <Badge tone="accent">{PLANS[plan].name} plan</Badge>
      </div>
      {balance < 0 && (
        <p className="rounded-md border border-warn bg-warn-soft px-3 py-2 text-sm">
          The balance is below zero because credits were refunded or disputed after they were spent.
          Models that cost credits won’t answer until a top-up or next month’s plan credits cover
          the missing {countOf(-balance, 'credit')}. Free models still answer.
        </p>
      )}
      {plan === 'free' && renewsAt === null && included === 0 ? (
        <p className="text-sm">
          Free credits come with the first organisation that a person creates. This one has credits
          once you buy some or choose a plan.
        </p>
      ) : (
        <IncludedMeter credits={credits} />
      )}
      <dl className="grid grid-cols-1 gap-3 text-sm sm:grid-cols-3">
        <Fact term="Purchased credits left">{count(Math.max(0, topup))}</Fact>
        <Fact term="Reserved for answers in progress">{count(reserved)}</Fact>
        <Fact term="Plan credits renew on">
          {renewsAt && <Day at={renewsAt} />}
          {!renewsAt && (plan === 'free' ? 'Never on this plan' : 'No date: payment due')}
        </Fact>
      </dl>
    </div>
  );
}

function IncludedMeter({ credits: { included, plan } }: { credits: Credits }) {
  const id = useId();
  const whole = Math.max(PLANS[plan].credits, included);
  return (
    <div className="flex flex-col gap-1.5">
      <p id={id} className="text-sm">
        <span className="font-medium tabular-nums">{count(included)}</span> of {count(whole)} plan
        credits left this month
      </p>
      <div
        role="meter"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={whole}
        aria-valuenow={included}
        aria-valuetext={`${count(included)} of ${count(whole)} credits left`}
        className="h-2.5 overflow-hidden rounded-full border border-edge bg-ground"
      >
        <div
          className="h-full bg-accent-strong"
          style={{ width: `${(included / whole) * 100}%` }}
        />
      </div>
    </div>
  );
}

function Fact({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5">
      <dt className="text-note text-muted">{term}</dt>
      <dd className="font-medium tabular-nums">{children}</dd>
    </div>
  );
}
