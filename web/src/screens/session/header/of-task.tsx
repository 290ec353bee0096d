import { Link } from '@tanstack/react-router';
import { useTaskById } from '../../../data/queries.ts';
import { useSession } from '../session-context.ts';

/** The session is where a task is discussed. */
export function OfTask() {
  const { slug, session } = useSession();
  const { data: task } = useTaskById(session.projectId, session.taskId);
  if (!task) return null;
  return (
    <Link
      to="/p/$slug/t/$number"
      params={{ slug, number: String(task.number) }}
      className="inline-flex min-h-6 items-center self-start text-note text-accent underline"
    >
      Go to task #{task.number}
    </Link>
  );
}
