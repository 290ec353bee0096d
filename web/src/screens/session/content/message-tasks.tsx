import type { Message } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { useAgentNames, useTaskById } from '../../../data/queries.ts';
import { DecideButtons, useDecide } from '../../../shared/decide-tasks.tsx';
import { Badge } from '../../../ui/marks/badge.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { useSession } from '../session-context.ts';

type MadeTask = Message['tasks'][number];

/** What was made from a message. Proposals are decided here, where people talk about them. */
export function MessageTasks({ tasks }: { tasks: readonly MadeTask[] }) {
  return (
    <ul aria-label="Tasks" className="flex min-w-0 flex-col items-start gap-1.5">
      {tasks.map((task) => (
        <MessageTask key={task.id} {...task} />
      ))}
    </ul>
  );
}

function MessageTask({ id, number }: MadeTask) {
  const { slug, session, canWrite } = useSession();
  const { data: task } = useTaskById(session.projectId, id);
  const agentName = useAgentNames();
  const decide = useDecide(session.projectId);
  const isProposed = task?.status === 'PROPOSED' && task.archivedAt === null;
  return (
    <li className="flex max-w-full min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 rounded-md border border-line bg-ground px-2.5 py-1.5 text-sm">
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <Link
          to="/p/$slug/t/$number"
          params={{ slug, number: String(number) }}
          dir="auto"
          className="inline-block min-h-6 min-w-0 text-left font-medium wrap-anywhere hover:underline"
        >
          <span className="text-accent underline">#{number}</span> {task?.title}
        </Link>
        {isProposed && (
          <Badge tone="accent">
            {task.createdByAgent ? `Proposed by ${agentName(task.createdByAgent)}` : 'Proposed'}
          </Badge>
        )}
      </span>
      {isProposed && canWrite && <DecideButtons decide={decide} ids={[id]} />}
      {decide.error && <ErrorNote error={decide.error} />}
    </li>
  );
}
