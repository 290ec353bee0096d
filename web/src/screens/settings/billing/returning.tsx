import type { Credits } from '@atrium/sdk';
import { countOf } from '../../../ui/text/count-of.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Spinner } from '../../../ui/states/spinner.tsx';
import { forgetCreditsBefore, readCreditsBefore, wasCancelled } from './hosted-page.ts';
import { count, PLANS } from './plans.ts';
import { useCredits } from './queries.ts';

const EVERY_MS = 1_500;
const LONGEST_MS = 10_000;

/** The provider reports a payment a moment after the person returns, so this checks for a while. */
export function ReturnNote() {
  const { org } = useWorkspace();
  const queryClient = useQueryClient();
  const { data: credits } = useCredits();
  const [isCancelled] = useState(wasCancelled);
  const [before] = useState(() => (isCancelled ? undefined : readCreditsBefore()));
  const [isOver, setOver] = useState(false);
  const change = before && credits ? describeChange(before, credits) : undefined;
  const isLooking = before !== undefined && change === undefined && !isOver;
  useEffect(forgetCreditsBefore, []);
  const navigate = useNavigate();
  // A reload says nothing about a payment of before.
  useEffect(() => {
    if (isCancelled) void navigate({ to: '/settings/billing', search: {}, replace: true });
  }, [isCancelled, navigate]);
  useEffect(() => {
    if (!isLooking) return undefined;
    const look = () => void queryClient.invalidateQueries({ queryKey: keys.billing(org.id) });
    const timer = setInterval(look, EVERY_MS);
    const end = setTimeout(() => setOver(true), LONGEST_MS);
    return () => {
      clearInterval(timer);
      clearTimeout(end);
    };
  }, [isLooking, org.id, queryClient]);
  return (
    <div role="status" className="empty:hidden">
      {isCancelled && (
        <p className="rounded-md border border-line bg-surface px-3 py-2 text-sm">
          Cancelled. Nothing was paid.
        </p>
      )}
      {before && (
        <p className="rounded-md border border-line bg-surface px-3 py-2 text-sm">
          {change ?? (isOver ? NOTHING_YET : <Spinner label="Checking for your payment…" />)}
        </p>
      )}
    </div>
  );
}

const NOTHING_YET =
  'Nothing has changed yet. If you paid, this page updates when the payment arrives. A bank debit can take a while.';

function describeChange(before: Credits, now: Credits): string | undefined {
  if (now.plan !== before.plan) {
    return `Your organisation is now on the ${PLANS[now.plan].name} plan, with ${countOf(now.balance, 'credit')} in total.`;
  }
  const more = now.balance - before.balance;
  if (more > 0) return `${countOf(more, 'credit')} added. You now have ${count(now.balance)}.`;
  return undefined;
}
