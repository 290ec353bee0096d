import type { Project } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAgentNames } from '../../../data/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { MoreButton } from '../../../ui/pages/more-button.tsx';
import type { useTaskPages } from '../queries.ts';
import { DecideButtons, useDecide } from '../../../shared/decide-tasks.tsx';

interface ProposalTrayProps {
  project: Project;
  canWrite: boolean;
  pages: ReturnType<typeof useTaskPages>;
}

/** Tasks that agents proposed. A person accepts or declines them, several at once. */
export function ProposalTray({ project, canWrite, pages }: ProposalTrayProps) {
  const [chosen, setChosen] = useState<string[]>([]);
  const { tasks = [], total } = pages;
  const ids = tasks.map(({ id }) => id).filter((id) => chosen.includes(id));
  const decide = useDecide(project.id);
  const agentName = useAgentNames();
  if (tasks.length === 0) return null;
  const isAll = ids.length === tasks.length;
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
              onClick={() => setChosen(isAll ? [] : tasks.map(({ id }) => id))}
            >
              {isAll ? 'Select none' : 'Select all'}
            </Button>
            <DecideButtons decide={decide} ids={ids} onDecided={() => setChosen([])} />
          </>
        )}
      </div>
      {decide.error && <ErrorNote error={decide.error} />}
      <ul className="flex min-h-0 flex-col gap-1 overflow-y-auto">
        {tasks.map((task) => (
          <li key={task.id} className="flex items-start gap-2 text-sm">
            {canWrite && (
              <input
                type="checkbox"
                aria-label={`Select #${task.number} ${task.title}`}
                className="mt-1 size-4 shrink-0 accent-accent-strong"
                checked={chosen.includes(task.id)}
                onChange={({ target: { checked } }) =>
                  setChosen((before) =>
                    checked ? [...before, task.id] : before.filter((id) => id !== task.id),
                  )
                }
              />
            )}
            <span className="min-w-0 wrap-anywhere">
              <Link
                to="/p/$slug/t/$number"
                params={{ slug: project.slug, number: String(task.number) }}
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
        ))}
      </ul>
      <MoreButton of={pages} size="small" className="self-start">
        Show more proposed tasks
      </MoreButton>
    </section>
  );
}
