import { AtriumError } from '@atrium/sdk';
import { DIRECT_SLUG } from '../../data/direct.ts';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { NoticePage } from '../../ui/pages/page-broken.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';

const KNOWN: Record<number, { title: string; explanation: string }> = {
  403: {
    title: 'You don’t have access to this session',
    explanation:
      'Only members of its project can read it. Ask an owner, an admin or the project’s creator to add you.',
  },
  404: {
    title: 'Session not found',
    explanation:
      'The address may be mistyped, the session may be private, or it may belong to another organisation. If so, switch to it and open the link again.',
  },
};

interface ProblemProps {
  slug: string;
  error: unknown;
  onRetry: () => void;
}

/** In the place of a session that can't be shown. */
export function SessionProblem({ slug, error, onRetry }: ProblemProps) {
  const known = error instanceof AtriumError ? KNOWN[error.status ?? 0] : undefined;
  return (
    <NoticePage title={known?.title ?? 'Couldn’t load the session'}>
      {known ? (
        <p className="text-muted">{known.explanation}</p>
      ) : (
        <ErrorNote error={error} onRetry={onRetry} />
      )}
      {slug !== DIRECT_SLUG && (
        <LinkButton to="/p/$slug" params={{ slug }}>
          Go to project
        </LinkButton>
      )}
      <LinkButton look="quiet" to="/">
        Go to all projects
      </LinkButton>
    </NoticePage>
  );
}
