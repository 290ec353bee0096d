import { getRouteApi } from '@tanstack/react-router';
import { lazyPart } from '../../data/parts.ts';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { useTypingAnywhere } from './composer/use-typing-anywhere.ts';
import { ListSkeleton } from './list/list-ends.tsx';
import { OpenSession } from './open-session.tsx';
import { useOpenedSession } from './queries.ts';

const SessionProblem = lazyPart(() => import('./session-problem.tsx'), 'SessionProblem');

const route = getRouteApi('/workspace/p/$slug/s/$sessionId');

export function SessionScreen() {
  const { slug, sessionId } = route.useParams();
  return <SessionOf key={sessionId} slug={slug} sessionId={sessionId} />;
}

function SessionOf({ slug, sessionId }: { slug: string; sessionId: string }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data: session, error, refetch } = useOpenedSession(slug, sessionId);
  useTypingAnywhere(sessionId, !session && !error);
  if (session) {
    return (
      <OpenSession
        {...{ slug, session, search }}
        onSearch={(next, replace = false) => void navigate({ search: next, replace })}
      />
    );
  }
  if (error) return <SessionProblem slug={slug} error={error} onRetry={() => void refetch()} />;
  return (
    <div className="absolute inset-0 flex flex-col">
      <div className="flex flex-col gap-2 border-b border-line bg-surface px-4 py-2.5">
        <Skeleton className="h-3.5 w-24" />
        <Skeleton className="h-5 w-56" />
      </div>
      <ListSkeleton />
    </div>
  );
}
