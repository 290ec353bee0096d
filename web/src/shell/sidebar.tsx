import { Link } from '@tanstack/react-router';
import { Plus, Search, SquarePen } from 'lucide-react';
import { memo, useMemo } from 'react';
import type { ProjectSessions } from '../data/all-sessions.ts';
import { DirectMessages } from './direct-messages.tsx';
import { InboxCount } from './inbox-count.tsx';
import { ThreadsCount } from './threads-count.tsx';
import { MAIN_PAGES, type MainPage } from './main-pages.ts';
import { OrgSwitcher } from './org-switcher.tsx';
import { PersonMenu } from './person-menu.tsx';
import { ProjectTree } from './project-tree.tsx';
import { useShellActions } from '../shared/shell-actions.ts';
import { COMMAND } from './shortcuts.ts';
import { SectionHead } from './section-head.tsx';
import { findUnread, UnreadSessions } from './unread-sessions.tsx';

interface SidebarProps {
  projects: ProjectSessions[] | undefined;
}

export const Sidebar = memo(function Sidebar({ projects }: SidebarProps) {
  const { openPalette, openNewChat, openNewProject } = useShellActions();
  const unread = useMemo(() => findUnread(projects), [projects]);
  const listed = useMemo(() => new Set(unread.map(({ session }) => session.id)), [unread]);
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-col gap-2 p-3 pb-2">
        <OrgSwitcher />
        <button
          type="button"
          onClick={openPalette}
          className="flex min-h-9 w-full items-center gap-2 rounded-md border border-edge bg-surface px-2.5 text-left text-sm text-muted hover:bg-hover"
        >
          <Search aria-hidden className="size-4 shrink-0" />
          <span className="flex-1 truncate">Search or jump to…</span>
          <kbd className="text-xs whitespace-nowrap">{COMMAND}K</kbd>
        </button>
        <button
          type="button"
          onClick={() => openNewChat()}
          className="flex min-h-9 w-full items-center gap-2.5 rounded-md px-2 text-left text-sm font-medium hover:bg-hover"
        >
          <SquarePen aria-hidden className="size-4 shrink-0 text-accent" />
          <span className="flex-1 truncate">New chat</span>
          <kbd className="text-xs font-normal whitespace-nowrap text-muted">Alt N</kbd>
        </button>
      </div>
      <nav
        aria-label="Main"
        className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-3 pb-3"
      >
        <ul className="flex flex-col gap-0.5">
          {MAIN_PAGES.map((page) => (
            <NavLink key={page.to} page={page} />
          ))}
        </ul>
        <UnreadSessions unread={unread} />
        <DirectMessages />
        <div className="flex flex-col gap-1">
          <SectionHead
            title="Projects"
            label="Create project"
            icon={Plus}
            onClick={openNewProject}
          />
          <ProjectTree projects={projects} listed={listed} />
        </div>
      </nav>
      <div className="border-t border-line p-2">
        <PersonMenu />
      </div>
    </div>
  );
});

function NavLink({ page: { to, label, icon: Icon } }: { page: MainPage }) {
  return (
    <li>
      <Link
        to={to}
        activeOptions={{ exact: to === '/', includeSearch: false }}
        className="flex min-h-9 items-center gap-2.5 rounded-md px-2 text-sm hover:bg-hover sm:min-h-8"
        activeProps={{ className: 'bg-hover font-medium' }}
      >
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="flex-1">{label}</span>
        {to === '/inbox' && <InboxCount />}
        {to === '/threads' && <ThreadsCount />}
      </Link>
    </li>
  );
}
