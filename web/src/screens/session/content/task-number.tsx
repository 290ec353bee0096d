import { Link } from '@tanstack/react-router';
import { useTaskTotal } from '../../../data/queries.ts';

/** `#12`, as a link to the task. */
export function TaskNumber({ slug, number }: { slug: string; number: number }) {
  return (
    <Link
      to="/p/$slug/t/$number"
      params={{ slug, number: String(number) }}
      className="inline-flex min-h-6 items-center text-accent underline underline-offset-2 hover:no-underline"
    >
      #{number}
    </Link>
  );
}

interface WrittenNumberProps {
  projectId: string;
  slug: string;
  number: number;
}

/** `#12` in a text: a link if the project has that task, and otherwise what was written. */
export function WrittenTaskNumber({ projectId, slug, number }: WrittenNumberProps) {
  const { data: total = 0 } = useTaskTotal(projectId);
  return number <= total ? <TaskNumber slug={slug} number={number} /> : `#${number}`;
}
