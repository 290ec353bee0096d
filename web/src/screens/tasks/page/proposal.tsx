import type { Task } from '@atrium/sdk';
import { useAgentNames } from '../../../data/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { useDecide } from '../changes/use-decide.ts';

/** On the page of a task that waits for somebody to accept or decline it. */
export function Proposal({ task }: { task: Task }) {
  const agentName = useAgentNames();
  const decide = useDecide(task.projectId);
  const button = (kind: 'accept' | 'decline', words: string) => (
    <Button
      size="small"
      look={kind === 'accept' ? 'primary' : 'plain'}
      isBusy={decide.isPending && decide.variables.kind === kind}
      onClick={() => decide.mutate({ kind, ids: [task.id] })}
    >
      {words}
    </Button>
  );
  return (
    <section
      aria-label="Proposal"
      className="flex flex-wrap items-center gap-2 rounded-lg bg-accent-soft px-3 py-2 text-sm"
    >
      <p className="mr-auto">
        {task.createdByAgent ? `Proposed by ${agentName(task.createdByAgent)}.` : 'Proposed.'} It
        isn’t on the board until somebody accepts it.
      </p>
      {button('accept', 'Accept task')}
      {button('decline', 'Decline task')}
      {decide.error && <ErrorNote error={decide.error} />}
    </section>
  );
}
