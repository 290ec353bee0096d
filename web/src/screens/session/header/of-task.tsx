import { Link } from '@tanstack/react-router';
import { useTaskById } from '../../../data/queries.ts';

interface OfTaskProps {
  slug: string;
  projectId: string;
  taskId: string;
}

/** The session is where a task is discussed. */
export function OfTask({ slug, projectId, taskId }: OfTaskProps) {
  const { data: task } = useTaskById(projectId, taskId);
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
