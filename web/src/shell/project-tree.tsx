import type { Session } from '@atrium/sdk';
import { Link, useParams } from '@tanstack/react-router';
import { BellOff, ChevronRight, ListChecks, Pencil, Plus } from 'lucide-react';
import { useId } from 'react';
import { IconButton } from '../ui/controls/button.tsx';
import { cx } from '../ui/text/cx.ts';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { ChannelMark } from '../shared/channel-mark.tsx';
import { LockMark } from '../ui/marks/lock-mark.tsx';
import { useDraftedSessions } from '../data/device/drafts.ts';
import { nameSession, type ProjectSessions } from '../data/all-sessions.ts';
import { useFolds } from './folds.ts';
import { useShellActions } from '../shared/shell-actions.ts';
import { UnreadCount } from '../ui/marks/unread-count.tsx';

/** How many projects start unfolded. With more, sessions would crowd out the projects. */
const OPEN_AT_FIRST = 5;
const SHOWN_SESSIONS = 6;

/** Projects and their sessions, recent or unread, as nested lists in which every entry is a plain link. */
export function ProjectTree({ projects }: { projects: ProjectSessions[] | undefined }) {
  const { slug: currentSlug } = useParams({ strict: false });
  const { isOpen, setOpen } = useFolds();
  if (!projects) return <TreeLoading />;
  if (projects.length === 0) {
    return <p className="px-2 text-sm text-muted">No projects yet. Create one with +.</p>;
  }
  return (
    <ul className="flex flex-col gap-0.5">
      {projects.map((entry, at) => {
        const { id, slug } = entry.project;
        const open = isOpen(id) ?? (at < OPEN_AT_FIRST || slug === currentSlug);
        return <Branch key={id} entry={entry} isOpen={open} onToggle={() => setOpen(id, !open)} />;
      })}
    </ul>
  );
}

interface BranchProps {
  entry: ProjectSessions;
  isOpen: boolean;
  onToggle: () => void;
}

function Branch({ entry, isOpen, onToggle }: BranchProps) {
  const { project, sessions, unread } = entry;
  const { openNewSession } = useShellActions();
  const id = useId();
  return (
    <li>
      <div className="group flex items-center rounded-md hover:bg-hover">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`Sessions in ${project.name}`}
          onClick={onToggle}
          className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted"
        >
          <ChevronRight
            aria-hidden
            className={cx('size-4 transition-transform', isOpen && 'rotate-90')}
          />
        </button>
        <Link
          to="/p/$slug"
          params={{ slug: project.slug }}
          activeOptions={{ exact: true }}
          activeProps={{ className: 'bg-accent-soft text-accent' }}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-1.5 text-sm"
        >
          <span
            dir="auto"
            className={cx(
              'truncate text-left',
              unread > 0 && !isOpen ? 'font-bold' : 'font-medium',
            )}
          >
            {project.name}
          </span>
          {!isOpen && <UnreadCount count={unread} />}
        </Link>
        <IconButton
          label={`Start session in ${project.name}`}
          icon={Plus}
          onClick={() => openNewSession(project.slug)}
          className="size-7! opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100"
        />
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Leaves slug={project.slug} sessions={sessions} />}
      </div>
    </li>
  );
}

function Leaves({ slug, sessions }: { slug: string; sessions: Session[] | undefined }) {
  const { sessionId } = useParams({ strict: false });
  const drafted = useDraftedSessions();
  if (!sessions) return null;
  const shown = sessions.filter(
    ({ id, unreadCount }, at) =>
      at < SHOWN_SESSIONS || unreadCount > 0 || id === sessionId || drafted.has(id),
  );
  return (
    <ul className="ml-3.5 flex flex-col border-l border-line pl-2">
      <li>
        <Link
          to="/p/$slug/tasks"
          params={{ slug }}
          activeOptions={{ includeSearch: false }}
          activeProps={{ className: 'bg-accent-soft text-accent' }}
          className="flex min-h-8 min-w-0 items-center gap-2 rounded-md px-2 text-sm hover:bg-hover"
        >
          <ListChecks aria-hidden className="size-4 shrink-0 text-muted" />
          Tasks
        </Link>
      </li>
      {shown.map((session) => (
        <Leaf
          key={session.id}
          slug={slug}
          session={session}
          hasDraft={drafted.has(session.id) && session.id !== sessionId}
        />
      ))}
      {sessions.length === 0 && <li className="px-2 py-1 text-note text-muted">No sessions yet</li>}
      {sessions.length > shown.length && (
        <li>
          <Link
            to="/p/$slug"
            params={{ slug }}
            className="flex min-h-8 items-center rounded-md px-2 text-note text-muted hover:bg-hover"
          >
            Show all sessions
          </Link>
        </li>
      )}
    </ul>
  );
}

interface LeafProps {
  slug: string;
  session: Session;
  hasDraft: boolean;
}

export function Leaf({ slug, session, hasDraft }: LeafProps) {
  const isUnread = session.unreadCount > 0;
  return (
    <li>
      <Link
        to="/p/$slug/s/$sessionId"
        params={{ slug, sessionId: session.id }}
        activeOptions={{ includeSearch: false }}
        activeProps={{ className: 'bg-accent-soft text-accent' }}
        className="flex min-h-8 min-w-0 items-center gap-2 rounded-md px-2 text-sm hover:bg-hover"
      >
        <LockMark session={session} />
        <span
          dir="auto"
          className={cx('min-w-0 flex-1 truncate text-left', isUnread && 'font-bold')}
        >
          {nameSession(session)}
        </span>
        <ChannelMark session={session} />
        {session.muted && (
          <BellOff role="img" aria-label="Muted" className="size-3.5 shrink-0 text-muted" />
        )}
        {hasDraft && (
          <Pencil role="img" aria-label="Draft" className="size-3.5 shrink-0 text-muted" />
        )}
        <UnreadCount count={session.unreadCount} />
      </Link>
    </li>
  );
}

function TreeLoading() {
  return (
    <div role="status" className="flex flex-col gap-3 px-2 py-1">
      <span className="sr-only">Loading projects…</span>
      {['w-3/4', 'w-1/2', 'w-2/3'].map((width) => (
        <Skeleton key={width} className={cx('h-5', width)} />
      ))}
    </div>
  );
}
