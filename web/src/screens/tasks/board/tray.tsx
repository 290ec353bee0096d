import type { Project, Task } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAgentNames } from '../../../data/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { MoreButton } from '../../../ui/pages/more-button.tsx';
import type { useTaskPages } from '../queries.ts';
import { useDecide } from '../changes/use-decide.ts';

interface ProposalTrayProps {
  project: Project;
  canWrite: boolean;
  pages: ReturnType<typeof useTaskPages>;
}

/** Tasks that agents proposed. A person accepts or declines them, several at once. */
export function ProposalTray({ project, canWrite, pages }: ProposalTrayProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { tasks = [], total } = pages;
  const ids = tasks.map(({ id }) => id).filter((id) => chosen.has(id));
  const decide = useDecide(project.id);
  if (tasks.length === 0) return null;
  const isAll = ids.length === tasks.length;
  const act = (kind: 'accept' | 'decline') =>
    decide.mutate({ kind, ids }, { onSuccess: () => setChosen(new Set()) });
  return (
    <section
      aria-label="Proposed tasks"
      className="flex max-h-[40dvh] shrink-0 flex-col gap-2 rounded-xl border border-line bg-surface p-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto text-sm font-semibold">
          Proposed <span className="font-normal text-muted">{total}</span>
        </h2>
        {canWrite && (
          <>
            <Button
              size="small"
              look="quiet"
              onClick={() => setChosen(new Set(isAll ? [] : tasks.map(({ id }) => id)))}
            >
              {isAll ? 'Select none' : 'Select all'}
            </Button>
            <Button
              size="small"
              look="primary"
              disabled={ids.length === 0}
              isBusy={decide.isPending && decide.variables.kind === 'accept'}
              onClick={() => act('accept')}
            >
              {ids.length > 1 ? `Accept ${ids.length} tasks` : 'Accept task'}
            </Button>
            <Button
              size="small"
              disabled={ids.length === 0}
              isBusy={decide.isPending && decide.variables.kind === 'decline'}
              onClick={() => act('decline')}
            >
              {ids.length > 1 ? `Decline ${ids.length} tasks` : 'Decline task'}
            </Button>
          </>
        )}
      </div>
      {decide.error && <ErrorNote error={decide.error} />}
      <ul className="flex min-h-0 flex-col gap-1 overflow-y-auto">
        {tasks.map((task) => (
          <Proposal
            key={task.id}
            {...{ task, canWrite }}
            slug={project.slug}
            isChosen={chosen.has(task.id)}
            onChoose={(isChosen) =>
              setChosen((before) => {
                const next = new Set(before);
                if (isChosen) next.add(task.id);
                else next.delete(task.id);
                return next;
              })
            }
          />
        ))}
      </ul>
      <MoreButton of={pages} size="small" className="self-start">
        Show more proposed tasks
      </MoreButton>
    </section>
  );
}

interface ProposalProps {
  task: Task;
  slug: string;
  canWrite: boolean;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}

function Proposal({ task, slug, canWrite, isChosen, onChoose }: ProposalProps) {
  const agentName = useAgentNames();
  return (
    <li className="flex items-start gap-2 text-sm">
      {canWrite && (
        <input
          type="checkbox"
          aria-label={`Select #${task.number} ${task.title}`}
          className="mt-1 size-4 shrink-0 accent-accent-strong"
          checked={isChosen}
          onChange={({ target }) => onChoose(target.checked)}
        />
      )}
      <span className="min-w-0 wrap-anywhere">
        <Link
          to="/p/$slug/t/$number"
          params={{ slug, number: String(task.number) }}
          dir="auto"
          className="inline-flex min-h-6 items-center font-medium hover:underline"
        >
          #{task.number} {task.title}
        </Link>{' '}
        {task.createdByAgent && (
          <span className="text-note text-muted">from {agentName(task.createdByAgent)}</span>
        )}
      </span>
    </li>
  );
}
