import { useNavigate } from '@tanstack/react-router';
import {
  BookMarked,
  Building2,
  FolderClosed,
  FolderPlus,
  Keyboard,
  LayoutGrid,
  LogOut,
  MessageSquarePlus,
  MessageSquareText,
  SunMoon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { SETTINGS_PAGES } from '../settings/pages.ts';
import { nameSession, useAllSessions, type ProjectSessions } from './all-sessions.ts';
import { useSwitchOrg } from './org-switcher.tsx';
import { signOut } from './sign-out.ts';
import { useShellActions } from './shell-actions.ts';
import { isDark, setTheme } from './theme.ts';

export interface PaletteEntry {
  id: string;
  label: string;
  /** What kind of thing it is, shown next to the label. */
  kind: string;
  /** Other words that find it. */
  keywords?: string;
  icon: ReactNode;
  /** Listed before anything is typed. */
  isFirst: boolean;
  run: () => void;
}

const FIRST_SESSIONS = 6;
const ICON = 'size-4 shrink-0 text-muted';

/** Everything you can jump to or do, most likely first. */
export function usePaletteEntries(): PaletteEntry[] {
  const all = useAllSessions() ?? [];
  return [
    ...useSessionEntries(all),
    ...useProjectEntries(all),
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
      kind: `Session in ${project.name}`,
      keywords: `${session.name} ${project.name}`,
      icon: <MessageSquareText aria-hidden className={ICON} />,
      isFirst: at < FIRST_SESSIONS,
      run: () =>
        void navigate({
          to: '/p/$slug/s/$sessionId',
          params: { slug: project.slug, sessionId: session.id },
        }),
    }));
}

function recency({
  lastMessageAt,
  createdAt,
}: {
  lastMessageAt: string | null;
  createdAt: string;
}) {
  return lastMessageAt ?? createdAt;
}

function useProjectEntries(all: ProjectSessions[]): PaletteEntry[] {
  const navigate = useNavigate();
  return all.map(({ project }, at) => ({
    id: `project-${project.id}`,
    label: project.name,
    kind: 'Project',
    keywords: `${project.slug} ${project.tags.join(' ')}`,
    icon: <FolderClosed aria-hidden className={ICON} />,
    isFirst: at < 5,
    run: () => void navigate({ to: '/p/$slug', params: { slug: project.slug } }),
  }));
}

function usePageEntries(): PaletteEntry[] {
  const navigate = useNavigate();
  return [
    {
      id: 'page-home',
      label: 'All projects',
      kind: 'Page',
      keywords: 'home start',
      icon: <LayoutGrid aria-hidden className={ICON} />,
      isFirst: false,
      run: () => void navigate({ to: '/' }),
    },
    {
      id: 'page-memory',
      label: 'Memory',
      kind: 'Page',
      keywords: 'remember search',
      icon: <BookMarked aria-hidden className={ICON} />,
      isFirst: true,
      run: () => void navigate({ to: '/memory' }),
    },
    ...SETTINGS_PAGES.map(({ to, label, keywords, icon: Icon }) => ({
      id: `page-${to}`,
      label,
      kind: 'Settings',
      keywords,
      icon: <Icon aria-hidden className={ICON} />,
      isFirst: false,
      run: () => void navigate({ to }),
    })),
  ];
}

function useActionEntries(all: ProjectSessions[]): PaletteEntry[] {
  const { profile, org } = useWorkspace();
  const { openNewProject, openNewSession, openNewOrg, openShortcuts } = useShellActions();
  const switchOrg = useSwitchOrg();
  const action = (id: string, label: string, icon: ReactNode, run: () => void, more = {}) => ({
    id,
    label,
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
