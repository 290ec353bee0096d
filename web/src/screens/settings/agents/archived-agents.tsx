import type { Agent } from '@atrium/sdk';
import { ArchiveRestore } from 'lucide-react';
import { keys } from '../../../data/query-keys.ts';
import { useItems } from '../../../data/use-fetched.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Ago } from '../../../ui/marks/time.tsx';
import { useArchiveAgent, useCanChange } from './use-archive-agent.ts';

/** Below those that answer. Nothing if there are none. */
export function ArchivedAgents({ onRestored }: { onRestored: () => void }) {
  const { data: agents = [] } = useItems(
    (orgId) => [...keys.agents(orgId), 'archived'],
    ({ client }, options) => client.agents.list({ archived: true }, options),
    { staleTime: 60_000 },
  );
  if (agents.length === 0) return null;
  return (
    <section aria-label="Archived agents" className="flex flex-col gap-2">
      <h2 className="font-semibold">
        Archived agents <span className="font-normal text-muted">{agents.length}</span>
      </h2>
      <ul className="flex flex-col divide-y divide-line rounded-xl border border-line bg-surface">
        {agents.map((agent) => (
          <Row key={agent.id} agent={agent} onRestored={onRestored} />
        ))}
      </ul>
    </section>
  );
}

function Row({ agent, onRestored }: { agent: Agent; onRestored: () => void }) {
  const canChange = useCanChange(agent);
  const { restore } = useArchiveAgent(agent);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-3 sm:px-5">
      <div className="min-w-0">
        <p dir="auto" className="font-medium wrap-anywhere">
          {agent.name}
        </p>
        <p className="text-note text-muted wrap-anywhere">
          @{agent.slug}
          {agent.archivedAt && (
            <>
              {' '}
              · archived <Ago at={agent.archivedAt} />
            </>
          )}
        </p>
      </div>
      {canChange && (
        <Button
          size="small"
          icon={ArchiveRestore}
          aria-label={`Restore ${agent.name}`}
          isBusy={restore.isPending}
          onClick={() => restore.mutate(undefined, { onSuccess: onRestored })}
        >
          Restore
        </Button>
      )}
    </li>
  );
}
