import { AtriumError } from '@atrium/sdk';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { NoticePage } from '../../ui/pages/page-broken.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';

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
  return (
    <NoticePage title={title}>
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
      <LinkButton to="/p/$slug" params={{ slug }}>
        Go to project
      </LinkButton>
      <LinkButton look="quiet" to="/">
        Go to all projects
      </LinkButton>
    </NoticePage>
  );
}
