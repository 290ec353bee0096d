import { Link } from '@tanstack/react-router';

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
