import type { Session } from '@atrium/sdk';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronRight, Compass, ListChecks, Plus } from 'lucide-react';
import { memo, useId } from 'react';
import { IconButton } from '../ui/controls/button.tsx';
import { cx } from '../ui/text/cx.ts';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { ChannelMark } from '../shared/channel-mark.tsx';
import { LockMark } from '../ui/marks/lock-mark.tsx';
import { useDraftedSessions } from '../data/device/drafts.ts';
import { nameSession, type ProjectSessions } from '../data/all-sessions.ts';
import { isLoud } from '../data/following.ts';
import { useFolds } from './folds.ts';
import { useOpenSession } from './use-open-session.ts';
import { SessionLink } from './session-link.tsx';
import { useShellActions } from '../shared/shell-actions.ts';
import { UnreadCount } from '../ui/marks/unread-count.tsx';

/** How many projects start unfolded. With more, sessions would crowd out the projects. */
const OPEN_AT_FIRST = 5;
const SHOWN_SESSIONS = 15;

interface ProjectTreeProps {
  projects: ProjectSessions[] | undefined;
  /** Sessions that the sidebar lists above, by id. Nothing is listed twice. */
  listed: ReadonlySet<string>;
}

/** Projects and the sessions in them that the person follows or has open, as nested lists in which every entry is a plain link. */
export function ProjectTree({ projects, listed }: ProjectTreeProps) {
  const { slug: currentSlug } = useParams({ strict: false });
  const { isOpen, setOpen } = useFolds();
  const openSession = useOpenSession();
  if (!projects) return <TreeLoading />;
  if (projects.length === 0) {
    return <p className="px-2 text-sm text-muted">No projects yet. Create one with +.</p>;
  }
  return (
    <ul className="flex flex-col gap-0.5">
      {projects.map((entry, at) => {
        const { id, slug } = entry.project;
        const open = isOpen(id) ?? (at < OPEN_AT_FIRST || slug === currentSlug);
        const current = openSession?.projectId === id ? openSession : undefined;
        const onToggle = () => setOpen(id, !open);
        return <Branch key={id} {...{ entry, current, listed, onToggle }} isOpen={open} />;
      })}
    </ul>
  );
}

interface BranchProps extends Pick<ProjectTreeProps, 'listed'> {
  entry: ProjectSessions;
  /** The session that the person has open, whether they follow it or not. */
  current: Session | undefined;
  isOpen: boolean;
  onToggle: () => void;
}

function Branch({ entry, current: opened, listed, isOpen, onToggle }: BranchProps) {
  const { project } = entry;
  const current = opened && !listed.has(opened.id) ? opened : undefined;
  const sessions =
    entry.sessions && withCurrent(entry.sessions, current).filter(({ id }) => !listed.has(id));
  const unread = sumUnread(sessions);
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
        {isOpen && (
          <Leaves
            slug={project.slug}
            sessions={sessions}
            isEmpty={entry.sessions?.length === 0 && !opened}
          />
        )}
      </div>
      {!isOpen && current && (
        <ul className={LEAVES}>
          <Leaf slug={project.slug} session={current} hasDraft={false} />
        </ul>
      )}
    </li>
  );
}

function sumUnread(sessions: readonly Session[] = []): number {
  return sessions.filter(isLoud).reduce((sum, { unreadCount }) => sum + unreadCount, 0);
}

/** What the person has open is listed last if it is not listed anyway. */
function withCurrent(sessions: Session[], current: Session | undefined): Session[] {
  const isListed = !current || sessions.some(({ id }) => id === current.id);
  return isListed ? sessions : [...sessions, current];
}

const LEAVES = 'ml-3.5 flex flex-col border-l border-line pl-2';

interface LeavesProps {
  slug: string;
  sessions: Session[] | undefined;
  /** The person follows nothing here. */
  isEmpty: boolean;
}

function Leaves({ slug, sessions, isEmpty }: LeavesProps) {
  const { sessionId } = useParams({ strict: false });
  const drafted = useDraftedSessions();
  if (!sessions) return null;
  const shown = sessions.filter(
    ({ id, unreadCount }, at) =>
      at < SHOWN_SESSIONS || unreadCount > 0 || id === sessionId || drafted.has(id),
  );
  return (
    <ul className={LEAVES}>
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
      {isEmpty && (
        <li>
          <Link
            to="/p/$slug"
            params={{ slug }}
            className="flex min-h-8 items-center gap-2 rounded-md px-2 text-note text-muted hover:bg-hover"
          >
            <Compass aria-hidden className="size-4 shrink-0" />
            Browse sessions
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

/** There are many, and opening one of them changes two. */
export const Leaf = memo(function Leaf({ slug, session, hasDraft }: LeafProps) {
  return (
    <SessionLink
      {...{ slug, session, hasDraft }}
      name={nameSession(session)}
      face={<LockMark session={session} />}
      marks={<ChannelMark session={session} />}
    />
  );
});

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
