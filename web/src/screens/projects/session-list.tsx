import type { Project, Session } from '@atrium/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Archive, MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { usePeople } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { PersonAvatar } from '../../shared/person/person-avatar.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Choice } from '../../ui/controls/choice.tsx';
import { cx } from '../../ui/text/cx.ts';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { MoreButton } from '../../ui/pages/more-button.tsx';
import { Ago } from '../../ui/marks/time.tsx';
import { ChannelMark } from '../../shared/channel-mark.tsx';
import { useFollowing } from '../../shared/use-following.ts';
import { nameSession, recency } from '../../data/all-sessions.ts';
import { useShellActions } from '../../shared/shell-actions.ts';
import { UnreadCount } from '../../ui/marks/unread-count.tsx';
import { LockMark } from '../../ui/marks/lock-mark.tsx';

const SHOWN = { ACTIVE: 'Active', ARCHIVED: 'Archived' } as const;

export function ProjectSessionLists({ project }: { project: Project }) {
  const [status, setStatus] = useState<Session['status']>('ACTIVE');
  return (
    <section aria-label="Sessions" className="flex flex-col gap-3">
      <Choice
        label="Show sessions"
        isLabelHidden
        options={SHOWN}
        value={status}
        onChange={setStatus}
      />
      <SessionList project={project} status={status} />
    </section>
  );
}

interface SessionListProps {
  project: Project;
  status: Session['status'];
}

const PAGE = 30;

/** Most recently active first, in pages, because a project may have thousands. */
function SessionList({ project, status }: SessionListProps) {
  const { client, org } = useWorkspace();
  const { slug } = project;
  const sessions = useInfiniteQuery({
    queryKey: [...keys.sessions(org.id, slug), 'pages', status],
    queryFn: async ({ pageParam, signal }) => {
      const params = { limit: PAGE, page: pageParam, status };
      const { items, total = 0 } = await client.sessions.list(slug, params, { signal });
      return { items, total };
    },
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages) => (pages.length * PAGE < total ? pages.length + 1 : null),
  });
  if (!sessions.data || sessions.error) return <Loading of={sessions} label="Loading sessions…" />;
  // A session that became active between two page requests would be listed twice.
  const items = new Map(
    sessions.data.pages.flatMap((page) => page.items.map((item) => [item.id, item])),
  );
  if (items.size === 0) return <NoSessions project={project} status={status} />;
  return (
    <div className="flex flex-col gap-3">
      <ul className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface">
        {[...items.values()].map((session) => (
          <Row key={session.id} slug={slug} session={session} />
        ))}
      </ul>
      <MoreButton of={sessions}>Show more sessions</MoreButton>
    </div>
  );
}

function Row({ slug, session }: { slug: string; session: Session }) {
  const { unreadCount, lastMessageAt, description, participantUserIds } = session;
  return (
    <li className="relative flex items-center gap-3 px-4 py-3 hover:bg-hover">
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex min-w-0 items-center gap-2">
          <LockMark session={session} />
          <Link
            to="/p/$slug/s/$sessionId"
            params={{ slug, sessionId: session.id }}
            dir="auto"
            className={cx(
              "truncate after:absolute after:inset-0 after:content-['']",
              unreadCount > 0 ? 'font-bold' : 'font-medium',
            )}
          >
            {nameSession(session)}
          </Link>
          <ChannelMark session={session} />
          <UnreadCount count={unreadCount} />
        </div>
        {description && (
          <p className="truncate text-left text-sm text-muted" dir="auto">
            {description}
          </p>
        )}
        <p className="text-note text-muted">
          {lastMessageAt ? 'Last message' : 'No messages yet, started'}{' '}
          <Ago at={recency(session)} />
        </p>
      </div>
      <Participants userIds={participantUserIds} />
      {session.archivedAt === null && <FollowButton slug={slug} session={session} />}
    </li>
  );
}

/** Above the link that covers the row. */
function FollowButton({ slug, session }: { slug: string; session: Session }) {
  const { mutate, isPending } = useFollowing(slug);
  const { isFollowed } = session;
  const label = isFollowed ? 'Leave' : 'Follow';
  return (
    <Button
      size="small"
      look={isFollowed ? 'quiet' : 'plain'}
      className="relative w-18 shrink-0"
      isBusy={isPending}
      aria-label={`${label} ${nameSession(session)}`}
      onClick={() => mutate({ session, follow: isFollowed ? null : {} })}
    >
      {label}
    </Button>
  );
}

const SHOWN_PEOPLE = 3;

function Participants({ userIds }: { userIds: string[] }) {
  const findPerson = usePeople();
  const people = userIds.map((userId) => ({ userId, name: findPerson(userId).name }));
  const hidden = people.length - SHOWN_PEOPLE;
  return (
    <div className="hidden shrink-0 items-center sm:flex">
      <span className="sr-only">Participants: {people.map(({ name }) => name).join(', ')}</span>
      {people.slice(0, SHOWN_PEOPLE).map(({ userId, name }) => (
        <span
          key={userId}
          aria-hidden
          title={name}
          className="-ml-1.5 rounded-full ring-2 ring-surface"
        >
          <PersonAvatar userId={userId} name={name} size="small" />
        </span>
      ))}
      {hidden > 0 && (
        <span aria-hidden className="pl-1 text-xs text-muted">
          +{hidden}
        </span>
      )}
    </div>
  );
}

function NoSessions({ project, status }: SessionListProps) {
  const { openNewSession } = useShellActions();
  if (status === 'ARCHIVED') {
    return (
      <EmptyState icon={Archive} title="No archived sessions">
        When a session is over, archive it. It stays here for reading.
      </EmptyState>
    );
  }
  if (project.archivedAt !== null) {
    return <EmptyState icon={MessageSquareText} title="No active sessions" />;
  }
  return (
    <EmptyState
      icon={MessageSquareText}
      title="No sessions yet"
      action={
        <Button look="primary" onClick={() => openNewSession(project.slug)}>
          Start session
        </Button>
      }
    >
      A session is one conversation about one topic. Mention @recall and it answers from what your
      team remembers.
    </EmptyState>
  );
}
