import type { Usage } from '@atrium/sdk';
import { keepPreviousData } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
import { useMemo, useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { useMembers } from '../../data/queries.ts';
import { useItems } from '../../data/use-fetched.ts';
import { Choice } from '../../ui/controls/choice.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { Card, PageHeader } from '../../ui/pages/page.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { StorageCard } from './usage/storage-card.tsx';
import { UsageChart } from './usage/chart.tsx';
import { lastDays, sum, summarise, type Measure, type Split } from './usage/summarise.ts';
import { UsageTable } from './usage/usage-table.tsx';

type Range = '7' | '30' | '90';

const RANGES: Record<Range, string> = { '7': '7 days', '30': '30 days', '90': '90 days' };
const MEASURES: Record<Measure, string> = {
  credits: 'Credits',
  tokens: 'Tokens',
  replies: 'Replies',
};
const SPLITS: Record<Split, string> = { model: 'By model', person: 'By person' };

export function UsageSettings() {
  const [range, setRange] = useState<Range>('30');
  const days = useMemo(() => lastDays(Number(range), Date.now()), [range]);
  const usage = useUsage(days);
  const { data } = usage;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Usage"
        actions={
          <Choice
            label="Time range"
            isLabelHidden
            options={RANGES}
            value={range}
            onChange={setRange}
          />
        }
      >
        What agents’ answers used, by day, model and person, and what files take.
      </PageHeader>
      <Loading of={usage}>
        <Skeleton className="h-96 w-full" />
      </Loading>
      {data?.length === 0 && (
        <EmptyState
          icon={ChartColumn}
          title={`No answers in the last ${days.length} days`}
          action={
            <LinkButton look="primary" to="/">
              Go to projects
            </LinkButton>
          }
        >
          Mention an agent in a session, such as <code>@model</code> or <code>@recall</code>. What
          its answer uses is counted here.
        </EmptyState>
      )}
      {data && data.length > 0 && <UsageView rows={data} days={days} />}
      <StorageCard />
    </div>
  );
}

function useUsage(days: readonly string[]) {
  const [from, to] = [days[0] ?? '', days.at(-1) ?? ''];
  return useItems(
    (orgId) => [...keys.billing(orgId), 'usage', from, to],
    ({ client }, options) => client.billing.usage({ from, to }, options),
    { placeholderData: keepPreviousData },
  );
}

function UsageView({ rows, days }: { rows: readonly Usage[]; days: readonly string[] }) {
  const [split, setSplit] = useState<Split>('model');
  const [chosen, setMeasure] = useState<Measure>();
  // If every model is free, a chart of credits would be empty.
  const measure = chosen ?? (sum(rows, 'credits') > 0 ? 'credits' : 'replies');
  const nameOf = useNames();
  const summary = useMemo(() => {
    const labelOf = split === 'model' ? (slug: string) => `@${slug}` : nameOf;
    return summarise(rows, { split, measure, days, labelOf });
  }, [rows, days, split, measure, nameOf]);
  const by = split === 'model' ? 'model' : 'person who asked';
  return (
    <>
      <dl className="grid grid-cols-3 gap-3">
        {(Object.entries(MEASURES) as [Measure, string][]).map(([name, title]) => (
          <div key={name} className="rounded-xl border border-line bg-surface p-3 sm:p-4">
            <dt className="text-note text-muted">{title}</dt>
            <dd className="text-lg font-semibold tabular-nums sm:text-2xl">
              {formatTotal(sum(rows, name))}
            </dd>
          </div>
        ))}
      </dl>
      <Card
        title="By day"
        actions={
          <>
            <Choice
              label="Measure"
              isLabelHidden
              options={MEASURES}
              value={measure}
              onChange={setMeasure}
            />
            <Choice
              label="Group by"
              isLabelHidden
              options={SPLITS}
              value={split}
              onChange={setSplit}
            />
          </>
        }
      >
        <UsageChart summary={summary} unit={measure} />
        <UsageTable
          summary={summary}
          caption={`${MEASURES[measure]} by day and ${by}, last ${days.length} days (UTC)`}
        />
      </Card>
    </>
  );
}

const SHORT = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 2 });

/** Short enough for three side by side on a phone. The table has every digit. */
function formatTotal(value: number): string {
  return value < 1_000_000 ? value.toLocaleString() : SHORT.format(value);
}

/** People by name, with the email if two share a name, and former members by the end of their id. */
function useNames(): (userId: string) => string {
  const { data: members } = useMembers();
  return useMemo(() => {
    const byId = new Map(members?.map((member) => [member.userId, member]));
    const sameName = Map.groupBy(members ?? [], ({ name }) => name);
    return (userId) => {
      const member = byId.get(userId);
      if (!member) return members ? `Former member (${userId.slice(-4)})` : '…';
      const { name, email } = member;
      return sameName.get(name)?.length === 1 ? name : `${name} (${email})`;
    };
  }, [members]);
}
