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
  Settings,
  SunMoon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { nameSession, useAllSessions, type ProjectSessions } from './all-sessions.ts';
import { useSwitchOrg } from './org-switcher.tsx';
import { signOut } from './sign-out.ts';
import { useShellActions } from './shell-actions.ts';
import { isDark, setTheme } from './theme.ts';

export interface PaletteEntry {
  id: string;
  label: string;
  /** What kind of thing it is, said beside the label. */
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

/** Everything one can jump to or do, the likeliest first. */
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

const PAGES = [
  ['/', 'All Projects', 'home start'],
  ['/memory', 'Memory', 'remember search'],
  ['/settings/profile', 'Profile', 'settings name password devices e-mail'],
  ['/settings/members', 'Members and invitations', 'settings people team invite'],
  ['/settings/keys', 'API keys', 'settings mint token'],
  ['/settings/billing', 'Billing', 'settings plan credits top-up'],
  ['/settings/usage', 'Usage', 'settings chart credits spent'],
  ['/settings/integrations', 'Integrations', 'settings mcp servers tools'],
  ['/settings/models', 'Models', 'settings agents recall'],
  ['/settings/audit', 'Audit log', 'settings history who did'],
] as const;

function usePageEntries(): PaletteEntry[] {
  const navigate = useNavigate();
  return PAGES.map(([to, label, keywords]) => ({
    id: `page-${to}`,
    label,
    kind: to.startsWith('/settings') ? 'Settings' : 'Page',
    keywords,
    icon: pageIcon(to),
    isFirst: to === '/memory',
    run: () => void navigate({ to }),
  }));
}

function pageIcon(to: string): ReactNode {
  if (to === '/') return <LayoutGrid aria-hidden className={ICON} />;
  if (to === '/memory') return <BookMarked aria-hidden className={ICON} />;
  return <Settings aria-hidden className={ICON} />;
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
    action('new-session', 'New session…', newSession, () => openNewSession(), {
      isFirst: all.length > 0,
      keywords: 'create chat',
    }),
    action(
      'new-project',
      'New Project…',
      <FolderPlus aria-hidden className={ICON} />,
      openNewProject,
      {
        isFirst: true,
        keywords: 'create',
      },
    ),
    ...all.map(({ project }) =>
      action(`new-session-${project.id}`, `New session in ${project.name}`, newSession, () =>
        openNewSession(project.slug),
      ),
    ),
    action(
      'theme',
      'Toggle light and dark',
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
