import type { Session } from '@atrium/sdk';
import { useNavigate } from '@tanstack/react-router';
import {
  AlarmClock,
  Building2,
  CalendarClock,
  FolderClosed,
  FolderPlus,
  Keyboard,
  ListChecks,
  LogOut,
  MessageSquarePlus,
  MessageSquareText,
  SquarePen,
  SunMoon,
  UsersRound,
  type LucideIcon,
} from 'lucide-react';
import { DIRECT_SLUG, othersIn, useDirectSessions, useSessionName } from '../data/direct.ts';
import { useMembers } from '../data/queries.ts';
import { useOpenDirect } from '../data/use-open-direct.ts';
import { useWorkspace } from '../data/workspace.tsx';
import { toastError } from '../ui/layers/toast.tsx';
import { Avatar } from '../ui/marks/avatar.tsx';
import { settingsPages, type SettingsPath } from '../screens/settings/pages.ts';
import {
  listSessions,
  nameSession,
  useAllSessions,
  type ProjectSessions,
} from '../data/all-sessions.ts';
import { MAIN_PAGES, type MainPage } from './main-pages.ts';
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
  return listSessions(all).map(({ project, session }, at) => ({
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

/** Opens the conversation with each of them. What the person themselves wrote is what they look for. */
function usePersonEntries(): PaletteEntry[] {
  const { data: members = [] } = useMembers();
  const { profile } = useWorkspace();
  const navigate = useNavigate();
  const openDirect = useOpenDirect();
  const conversations = useDirectSessions() ?? [];
  const nameOf = useSessionName();
  const pathOf = (session: Session | undefined) => session && `/p/${DIRECT_SLUG}/s/${session.id}`;
  const groups = conversations.filter(({ participantUserIds }) => participantUserIds.length > 2);
  const withOne = new Map(
    conversations
      .filter((session) => !groups.includes(session))
      .map((session) => [othersIn(session, profile.userId)[0], session]),
  );
  return [
    ...members.map(({ userId, name, email, handle, photo }): PaletteEntry => {
      const path = pathOf(withOne.get(userId));
      return {
        id: `person-${userId}`,
        label: name,
        group: 'People',
        kind: email,
        ...(handle !== null && { keywords: handle }),
        ...(path !== undefined && { path }),
        icon: <Avatar name={name} seed={userId} photo={photo} size="small" />,
        run: () =>
          userId === profile.userId
            ? void navigate({ to: '/search', search: { author: userId } })
            : void openDirect([userId]).catch(toastError),
      };
    }),
    ...groups.map((session): PaletteEntry => ({
      id: `session-${session.id}`,
      label: nameOf(session),
      group: 'People',
      kind: 'Direct message',
      icon: iconOf(UsersRound),
      path: `/p/${DIRECT_SLUG}/s/${session.id}`,
      run: () => {
        const params = { slug: DIRECT_SLUG, sessionId: session.id };
        void navigate({ to: '/p/$slug/s/$sessionId', params });
      },
    })),
  ];
}

/** What finds the pages of the sidebar. The settings are listed one by one. */
const KEYWORDS: Partial<Record<MainPage['to'], string>> = {
  '/inbox': 'notifications mentions replies unread',
  '/': 'home start',
  '/threads': 'replies unread',
  '/later': 'saved bookmarks messages',
  '/tasks': 'todo due assigned',
  '/memory': 'remember search',
  '/search': 'find said',
};

function usePageEntries(): PaletteEntry[] {
  const { isAdmin } = useWorkspace();
  const navigate = useNavigate();
  const showLater = (show: 'reminders' | 'scheduled') => () =>
    void navigate({ to: '/later', search: { show } });
  const open = (to: MainPage['to'] | SettingsPath) => () => void navigate({ to });
  return [
    ...MAIN_PAGES.flatMap(({ to, label, icon }) => {
      const keywords = KEYWORDS[to];
      if (keywords === undefined) return [];
      const name = to === '/search' ? 'Search messages' : label;
      const isFirst = to !== '/' && to !== '/threads' && to !== '/later';
      return pageOrAction(`page-${to}`, name, icon, open(to), {
        kind: 'Page',
        path: to,
        isFirst,
        keywords,
      });
    }),
    pageOrAction('page-reminders', 'Reminders', AlarmClock, showLater('reminders'), {
      kind: 'Page',
      keywords: 'later remind me',
    }),
    pageOrAction('page-scheduled', 'Scheduled messages', CalendarClock, showLater('scheduled'), {
      kind: 'Page',
      keywords: 'send later',
    }),
    ...settingsPages(isAdmin).map(({ to, label, icon, keywords }) =>
      pageOrAction(`page-${to}`, label, icon, open(to), { kind: 'Settings', path: to, keywords }),
    ),
  ];
}

function pageOrAction(
  id: string,
  label: string,
  icon: LucideIcon,
  run: () => void,
  more: Partial<PaletteEntry> = {},
): PaletteEntry {
  const group = 'Pages and actions';
  return { id, label, group, kind: 'Action', icon: iconOf(icon), run, ...more };
}

function useActionEntries(all: ProjectSessions[]): PaletteEntry[] {
  const { profile, org } = useWorkspace();
  const actions = useShellActions();
  const { openNewChat, openNewProject, openNewSession } = actions;
  const { openNewTask, openNewOrg, openShortcuts } = actions;
  const switchOrg = useSwitchOrg();
  return [
    pageOrAction('new-chat', 'New chat', SquarePen, () => openNewChat(), {
      isFirst: true,
      keywords: 'ask agent model ai conversation',
    }),
    pageOrAction('new-session', 'Start session…', MessageSquarePlus, () => openNewSession(), {
      isFirst: all.length > 0,
      keywords: 'new create chat',
    }),
    pageOrAction('new-direct', 'New direct message…', SquarePen, () => actions.openNewDirect(), {
      keywords: 'dm chat talk person',
    }),
    pageOrAction('new-task', 'Create task…', ListChecks, () => openNewTask(), {
      keywords: 'new todo',
    }),
    pageOrAction('new-project', 'Create project…', FolderPlus, openNewProject, {
      isFirst: true,
      keywords: 'new',
    }),
    ...all.map(({ project: { id, name, slug } }) =>
      pageOrAction(`new-session-${id}`, `Start session in ${name}`, MessageSquarePlus, () =>
        openNewSession(slug),
      ),
    ),
    pageOrAction('theme', 'Toggle light and dark theme', SunMoon, toggleTheme, {
      isFirst: true,
      keywords: 'theme mode',
    }),
    pageOrAction('shortcuts', 'Keyboard shortcuts', Keyboard, openShortcuts, {
      isFirst: true,
      keywords: 'keys help',
    }),
    ...profile.orgs
      .filter(({ id }) => id !== org.id)
      .map(({ id, name }) =>
        pageOrAction(`org-${id}`, `Switch to ${name}`, Building2, () => switchOrg(id), {
          keywords: 'organisation',
        }),
      ),
    pageOrAction('new-org', 'Create organisation…', Building2, openNewOrg),
    pageOrAction('sign-out', 'Sign out', LogOut, signOut, { keywords: 'log out leave' }),
  ];
}

export function iconOf(Icon: LucideIcon) {
  return <Icon aria-hidden className="size-4 shrink-0 text-muted" />;
}
