import type { Thread } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { keys } from '../../data/query-keys.ts';
import { useAuthorName } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Ago } from '../../ui/time.tsx';
import { nameSession } from '../shell/all-sessions.ts';
import { UnreadCount } from '../shell/unread-count.tsx';

/** The threads that the person takes part in, unread ones first. */
export function ThreadsScreen() {
  const { client, org } = useWorkspace();
  const { data, error, refetch } = useQuery({
    queryKey: keys.threads(org.id),
    queryFn: async ({ signal }) =>
      (await client.messages.listThreads({ limit: 100 }, { signal })).items,
  });
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-6 p-4 sm:p-6">
      <PageHeader title="Threads">Threads that you started or replied to.</PageHeader>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-40 w-full rounded-xl" />}
      {data?.length === 0 && (
        <EmptyState icon={<MessagesSquare className="size-8" />} title="No threads yet">
          Reply to a message in a thread, or wait for somebody to reply to yours.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul className="flex flex-col divide-y divide-line rounded-xl border border-line bg-surface">
          {data.map((thread) => (
            <ThreadRow key={thread.id} thread={thread} />
          ))}
        </ul>
      )}
    </div>
  );
}

function ThreadRow({ thread }: { thread: Thread }) {
  const { parent, session, project, unreadCount, lastReplyAt } = thread;
  const author = useAuthorName()(parent);
  const replies = parent.replyCount === 1 ? '1 reply' : `${parent.replyCount} replies`;
  return (
    <li className="relative flex flex-col gap-0.5 px-4 py-3 hover:bg-hover">
      <p className="truncate text-note text-muted" dir="auto">
        {nameSession(session)} in {project.name}
      </p>
      <div className="flex min-w-0 items-center gap-2">
        <Link
          to="/p/$slug/s/$sessionId"
          params={{ slug: project.slug, sessionId: session.id }}
          search={{ thread: parent.id }}
          dir="auto"
          className={cx(
            "truncate after:absolute after:inset-0 after:content-['']",
            unreadCount > 0 ? 'font-bold' : 'font-medium',
          )}
        >
          {parent.deletedAt ? 'Deleted message' : parent.body}
        </Link>
        <UnreadCount count={unreadCount} />
      </div>
      <p className="truncate text-note text-muted" dir="auto">
        {author}, {replies}, last <Ago at={lastReplyAt} />
      </p>
    </li>
  );
}
