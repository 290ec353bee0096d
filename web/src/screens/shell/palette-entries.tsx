import { useNavigate } from '@tanstack/react-router';
import {
  BookMarked,
  Building2,
  FolderClosed,
  FolderPlus,
  Inbox,
  Keyboard,
  LayoutGrid,
  ListChecks,
  LogOut,
  MessageSquarePlus,
  MessageSquareText,
  MessagesSquare,
  SunMoon,
  TextSearch,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useMembers } from '../../data/queries.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { PageIcon } from '../settings/page-icon.tsx';
import { settingsPages } from '../settings/pages.ts';
import { nameSession, recency, useAllSessions, type ProjectSessions } from './all-sessions.ts';
import { useSwitchOrg } from './org-switcher.tsx';
import type { PaletteEntry } from './palette-groups.ts';
import { signOut } from './sign-out.ts';
import { useShellActions } from './shell-actions.ts';
import { isDark, setTheme } from './theme.ts';

const FIRST_SESSIONS = 6;
const ICON = 'size-4 shrink-0 text-muted';

/** Everything you can jump to or do, most likely first. */
export function usePaletteEntries(): PaletteEntry[] {
  const all = useAllSessions() ?? [];
  return [
    ...useSessionEntries(all),
    ...useProjectEntries(all),
    ...usePersonEntries(),
    ...usePageEntries(),
    ...useActionEntries(all),
  ];
}

function useSessionEntries(all: ProjectSessions[]): PaletteEntry[] {
  const navigate = useNavigate();
  return all
    .flatMap(({ project, sessions }) => (sessions ?? []).map((session) => ({ project, session })))
    .toSorted((a, b) => recency(b.session).localeCompare(recency(a.session)))
    .map(({ project, session }, at) => ({
      id: `session-${session.id}`,
      label: nameSession(session),
      group: 'Sessions',
      kind: project.name,
      keywords: session.name,
      icon: <MessageSquareText aria-hidden className={ICON} />,
      path: `/p/${project.slug}/s/${session.id}`,
      isFirst: at < FIRST_SESSIONS,
      run: () =>
        void navigate({
          to: '/p/$slug/s/$sessionId',
          params: { slug: project.slug, sessionId: session.id },
        }),
    }));
}

function useProjectEntries(all: ProjectSessions[]): PaletteEntry[] {
  const navigate = useNavigate();
  return all.map(({ project }, at) => ({
    id: `project-${project.id}`,
    label: project.name,
    group: 'Projects',
    kind: 'Project',
    keywords: `${project.slug} ${project.tags.join(' ')}`,
    icon: <FolderClosed aria-hidden className={ICON} />,
    path: `/p/${project.slug}`,
    isFirst: at < 5,
    run: () => void navigate({ to: '/p/$slug', params: { slug: project.slug } }),
  }));
}

/** There is no page about a person. What they wrote is what people look for. */
function usePersonEntries(): PaletteEntry[] {
  const { data: members = [] } = useMembers();
  const navigate = useNavigate();
  return members.map(({ userId, name, email }) => ({
    id: `person-${userId}`,
    label: name,
    group: 'People',
    kind: email,
    icon: <Avatar name={name} seed={userId} size="small" />,
    isFirst: false,
    run: () => void navigate({ to: '/search', search: { author: userId } }),
  }));
}

function usePageEntries(): PaletteEntry[] {
  const { isAdmin } = useWorkspace();
  const navigate = useNavigate();
  return [
    {
      id: 'page-inbox',
      label: 'Inbox',
      group: 'Pages and actions',
      kind: 'Page',
      keywords: 'notifications mentions replies unread',
      icon: <Inbox aria-hidden className={ICON} />,
      isFirst: true,
      path: '/inbox',
      run: () => void navigate({ to: '/inbox' }),
    },
    {
      id: 'page-home',
      label: 'All projects',
      group: 'Pages and actions',
      kind: 'Page',
      keywords: 'home start',
      icon: <LayoutGrid aria-hidden className={ICON} />,
      isFirst: false,
      path: '/',
      run: () => void navigate({ to: '/' }),
    },
    {
      id: 'page-threads',
      label: 'Threads',
      group: 'Pages and actions',
      kind: 'Page',
      keywords: 'replies unread',
      icon: <MessagesSquare aria-hidden className={ICON} />,
      isFirst: false,
      path: '/threads',
      run: () => void navigate({ to: '/threads' }),
    },
    {
      id: 'page-tasks',
      label: 'My tasks',
      group: 'Pages and actions',
      kind: 'Page',
      keywords: 'todo due assigned',
      icon: <ListChecks aria-hidden className={ICON} />,
      isFirst: true,
      path: '/tasks',
      run: () => void navigate({ to: '/tasks' }),
    },
    {
      id: 'page-memory',
      label: 'Memory',
      group: 'Pages and actions',
      kind: 'Page',
      keywords: 'remember search',
      icon: <BookMarked aria-hidden className={ICON} />,
      isFirst: true,
      path: '/memory',
      run: () => void navigate({ to: '/memory' }),
    },
    {
      id: 'page-search',
      label: 'Search messages',
      group: 'Pages and actions',
      kind: 'Page',
      keywords: 'find said',
      icon: <TextSearch aria-hidden className={ICON} />,
      isFirst: true,
      path: '/search',
      run: () => void navigate({ to: '/search' }),
    },
    ...settingsPages(isAdmin).map(({ to, label, keywords }) => ({
      id: `page-${to}`,
      label,
      group: 'Pages and actions' as const,
      kind: 'Settings',
      keywords,
      icon: <PageIcon to={to} className={ICON} />,
      isFirst: false,
      path: to,
      run: () => void navigate({ to }),
    })),
  ];
}

function useActionEntries(all: ProjectSessions[]): PaletteEntry[] {
  const { profile, org } = useWorkspace();
  const { openNewProject, openNewSession, openNewTask, openNewOrg, openShortcuts } =
    useShellActions();
  const switchOrg = useSwitchOrg();
  const action = (id: string, label: string, icon: ReactNode, run: () => void, more = {}) => ({
    id,
    label,
    group: 'Pages and actions' as const,
    kind: 'Action',
    icon,
    isFirst: false,
    run,
    ...more,
  });
  const newSession = <MessageSquarePlus aria-hidden className={ICON} />;
  return [
    action('new-session', 'Start session…', newSession, () => openNewSession(), {
      isFirst: all.length > 0,
      keywords: 'new create chat',
    }),
    action(
      'new-task',
      'Create task…',
      <ListChecks aria-hidden className={ICON} />,
      () => openNewTask(),
      {
        keywords: 'new todo',
      },
    ),
    action(
      'new-project',
      'Create project…',
      <FolderPlus aria-hidden className={ICON} />,
      openNewProject,
      {
        isFirst: true,
        keywords: 'new',
      },
    ),
    ...all.map(({ project }) =>
      action(`new-session-${project.id}`, `Start session in ${project.name}`, newSession, () =>
        openNewSession(project.slug),
      ),
    ),
    action(
      'theme',
      'Toggle light and dark theme',
      <SunMoon aria-hidden className={ICON} />,
      () => setTheme(isDark() ? 'light' : 'dark'),
      { isFirst: true, keywords: 'theme mode' },
    ),
    action(
      'shortcuts',
      'Keyboard shortcuts',
      <Keyboard aria-hidden className={ICON} />,
      openShortcuts,
      {
        isFirst: true,
        keywords: 'keys help',
      },
    ),
    ...profile.orgs
      .filter(({ id }) => id !== org.id)
      .map(({ id, name }) =>
        action(
          `org-${id}`,
          `Switch to ${name}`,
          <Building2 aria-hidden className={ICON} />,
          () => switchOrg(id),
          {
            keywords: 'organisation',
          },
        ),
      ),
    action(
      'new-org',
      'Create organisation…',
      <Building2 aria-hidden className={ICON} />,
      openNewOrg,
    ),
    action('sign-out', 'Sign out', <LogOut aria-hidden className={ICON} />, signOut, {
      keywords: 'log out leave',
    }),
  ];
}
