import { AtriumError } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { usePageTitle } from '../../ui/page.tsx';

interface ProblemProps {
  slug: string;
  error: unknown;
  onRetry: () => void;
}

/** In the place of a session that can't be shown. */
export function SessionProblem({ slug, error, onRetry }: ProblemProps) {
  const status = error instanceof AtriumError ? error.status : undefined;
  const title =
    status === 404
      ? 'Session not found'
      : status === 403
        ? 'You don’t have access to this session'
        : 'Couldn’t load the session';
  usePageTitle(title);
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 p-6">
      <h1 className="text-xl font-semibold">{title}</h1>
      {status === 404 && (
        <p className="text-muted">
          The address may be mistyped, the session may be private, or it may belong to another
          organisation. If so, switch to it and open the link again.
        </p>
      )}
      {status === 403 && (
        <p className="text-muted">
          Only members of its project can read it. Ask an owner, an admin or the project’s creator
          to add you.
        </p>
      )}
      {status !== 404 && status !== 403 && <ErrorNote error={error} onRetry={onRetry} />}
      <Link to="/p/$slug" params={{ slug }} className={buttonClass('plain')}>
        Go to project
      </Link>
      <Link to="/" className={buttonClass('quiet')}>
        Go to all projects
      </Link>
    </div>
  );
}
