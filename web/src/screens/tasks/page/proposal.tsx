import type { Task } from '@atrium/sdk';
import { useAgentNames } from '../../../data/queries.ts';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { DecideButtons, useDecide } from '../../../shared/decide-tasks.tsx';

/** On the page of a task that waits for somebody to accept or decline it. */
export function Proposal({ task }: { task: Task }) {
  const agentName = useAgentNames();
  const decide = useDecide(task.projectId);
  return (
    <section
      aria-label="Proposal"
      className="flex flex-wrap items-center gap-2 rounded-lg bg-accent-soft px-3 py-2 text-sm"
    >
      <p className="mr-auto">
        {task.createdByAgent ? `Proposed by ${agentName(task.createdByAgent)}.` : 'Proposed.'} It
        isn’t on the board until somebody accepts it.
      </p>
      <DecideButtons decide={decide} ids={[task.id]} />
      {decide.error && <ErrorNote error={decide.error} />}
    </section>
  );
}
