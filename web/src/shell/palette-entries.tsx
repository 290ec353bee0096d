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
  type LucideIcon,
} from 'lucide-react';
import { useMembers } from '../data/queries.ts';
import { useWorkspace } from '../data/workspace.tsx';
import { Avatar } from '../ui/marks/avatar.tsx';
import { settingsPages, type SettingsPath } from '../screens/settings/pages.ts';
import {
  nameSession,
  recency,
  useAllSessions,
  type ProjectSessions,
} from '../data/all-sessions.ts';
import { useSwitchOrg } from './org-switcher.tsx';
import type { PaletteEntry } from './palette-groups.ts';
import { signOut } from '../shared/sign-out.ts';
import { useShellActions } from '../shared/shell-actions.ts';
import { toggleTheme } from '../data/device/theme.ts';

const FIRST_SESSIONS = 6;

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
      icon: iconOf(MessageSquareText),
      path: `/p/${project.slug}/s/${session.id}`,
      isFirst: at < FIRST_SESSIONS,
      run: () => {
        const params = { slug: project.slug, sessionId: session.id };
        void navigate({ to: '/p/$slug/s/$sessionId', params });
      },
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
    icon: iconOf(FolderClosed),
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

type MainPage = '/inbox' | '/' | '/threads' | '/tasks' | '/memory' | '/search';

function usePageEntries(): PaletteEntry[] {
  const { isAdmin } = useWorkspace();
  const navigate = useNavigate();
  const page = (
    path: MainPage | SettingsPath,
    label: string,
    icon: LucideIcon,
    more: Partial<PaletteEntry>,
  ) => ({
    id: `page-${path}`,
    label,
    group: 'Pages and actions' as const,
    kind: 'Page',
    icon: iconOf(icon),
    isFirst: false,
    path,
    run: () => void navigate({ to: path }),
    ...more,
  });
  return [
    page('/inbox', 'Inbox', Inbox, {
      isFirst: true,
      keywords: 'notifications mentions replies unread',
    }),
    page('/', 'All projects', LayoutGrid, { keywords: 'home start' }),
    page('/threads', 'Threads', MessagesSquare, { keywords: 'replies unread' }),
    page('/tasks', 'My tasks', ListChecks, { isFirst: true, keywords: 'todo due assigned' }),
    page('/memory', 'Memory', BookMarked, { isFirst: true, keywords: 'remember search' }),
    page('/search', 'Search messages', TextSearch, { isFirst: true, keywords: 'find said' }),
    ...settingsPages(isAdmin).map(({ to, label, icon, keywords }) =>
      page(to, label, icon, { kind: 'Settings', keywords }),
    ),
  ];
}

function useActionEntries(all: ProjectSessions[]): PaletteEntry[] {
  const { profile, org } = useWorkspace();
  const { openNewProject, openNewSession, openNewTask, openNewOrg, openShortcuts } =
    useShellActions();
  const switchOrg = useSwitchOrg();
  const action = (id: string, label: string, icon: LucideIcon, run: () => void, more = {}) => ({
    id,
    label,
    group: 'Pages and actions' as const,
    kind: 'Action',
    icon: iconOf(icon),
    isFirst: false,
    run,
    ...more,
  });
  return [
    action('new-session', 'Start session…', MessageSquarePlus, () => openNewSession(), {
      isFirst: all.length > 0,
      keywords: 'new create chat',
    }),
    action('new-task', 'Create task…', ListChecks, () => openNewTask(), { keywords: 'new todo' }),
    action('new-project', 'Create project…', FolderPlus, openNewProject, {
      isFirst: true,
      keywords: 'new',
    }),
    ...all.map(({ project: { id, name, slug } }) =>
      action(`new-session-${id}`, `Start session in ${name}`, MessageSquarePlus, () =>
        openNewSession(slug),
      ),
    ),
    action('theme', 'Toggle light and dark theme', SunMoon, toggleTheme, {
      isFirst: true,
      keywords: 'theme mode',
    }),
    action('shortcuts', 'Keyboard shortcuts', Keyboard, openShortcuts, {
      isFirst: true,
      keywords: 'keys help',
    }),
    ...profile.orgs
      .filter(({ id }) => id !== org.id)
      .map(({ id, name }) =>
        action(`org-${id}`, `Switch to ${name}`, Building2, () => switchOrg(id), {
          keywords: 'organisation',
        }),
      ),
    action('new-org', 'Create organisation…', Building2, openNewOrg),
    action('sign-out', 'Sign out', LogOut, signOut, { keywords: 'log out leave' }),
  ];
}

function iconOf(Icon: LucideIcon) {
  return <Icon aria-hidden className="size-4 shrink-0 text-muted" />;
}
