import { Link } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';
import { useUnreadNotifications } from '../data/queries.ts';
import { IconButton } from '../ui/controls/button.tsx';
import type { ProjectSessions } from '../data/all-sessions.ts';
import { MAIN_PAGES, type MainPage } from './main-pages.ts';
import { OrgSwitcher } from './org-switcher.tsx';
import { PersonMenu } from './person-menu.tsx';
import { ProjectTree } from './project-tree.tsx';
import { useShellActions } from '../shared/shell-actions.ts';
import { COMMAND } from './shortcuts.ts';
import { UnreadSessions } from './unread-sessions.tsx';
import { UnreadCount } from '../ui/marks/unread-count.tsx';

export function Sidebar({ projects }: { projects: ProjectSessions[] | undefined }) {
  const { openPalette, openNewProject } = useShellActions();
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
        <UnreadSessions projects={projects} />
        <div className="flex flex-col gap-1">
          <div className="flex items-center justify-between pl-2">
            <h2 className="text-xs font-semibold text-muted">Projects</h2>
            <IconButton
              label="Create project"
              className="size-7! sm:size-7"
              icon={Plus}
              onClick={openNewProject}
            />
          </div>
          <ProjectTree projects={projects} />
        </div>
      </nav>
      <div className="border-t border-line p-2">
        <PersonMenu />
      </div>
    </div>
  );
}

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
      </Link>
    </li>
  );
}

function InboxCount() {
  const { data } = useUnreadNotifications();
  return <UnreadCount count={data?.total ?? 0} />;
}
