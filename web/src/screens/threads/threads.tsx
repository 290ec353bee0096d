import type { Thread } from '@atrium/sdk';
import { plainlySaidIn } from '../../shared/plain-words.ts';
import { Link } from '@tanstack/react-router';
import { MessagesSquare } from 'lucide-react';
import { keys } from '../../data/query-keys.ts';
import { useAuthorName } from '../../data/queries.ts';
import { useItems } from '../../data/use-fetched.ts';
import { cx } from '../../ui/text/cx.ts';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { PageHeader } from '../../ui/pages/page.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Ago } from '../../ui/marks/time.tsx';
import { usePlaceName } from '../../data/direct.ts';
import { UnreadCount } from '../../ui/marks/unread-count.tsx';
import { PAGE } from '../../ui/pages/page-edge.ts';

/** The threads that the person takes part in, unread ones first. */
export function ThreadsScreen() {
  const threads = useItems(keys.threads, ({ client }, options) =>
    client.messages.listThreads({ limit: 100 }, options),
  );
  const { data } = threads;
  return (
    <div className={PAGE}>
      <PageHeader title="Threads">Threads that you started or replied to.</PageHeader>
      <Loading of={threads}>
        <Skeleton className="h-40 w-full rounded-xl" />
      </Loading>
      {data?.length === 0 && (
        <EmptyState icon={MessagesSquare} title="No threads yet">
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
        {usePlaceName()({ session, project })}
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
          {parent.deletedAt ? 'Deleted message' : plainlySaidIn(parent)}
        </Link>
        <UnreadCount count={unreadCount} />
      </div>
      <p className="truncate text-note text-muted" dir="auto">
        {author}, {replies}, last <Ago at={lastReplyAt} />
      </p>
    </li>
  );
}
