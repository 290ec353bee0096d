import { useMatches, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { FileLayer } from '../shared/files/viewer/file-layer.tsx';
import { closablePart } from '../ui/layers/part-boundary.tsx';
import { useFollowedSessions } from '../data/all-sessions.ts';
import { DIRECT_SLUG, useDirectSessions } from '../data/direct.ts';
import {
  ShellActionsContext,
  type NewTaskStart,
  type ShellActions,
} from '../shared/shell-actions.ts';
import type { MainPage } from './main-pages.ts';
import { useShortcuts } from './shortcuts.ts';

// Loaded ahead or when first opened, to keep the first page small.
const Palette = closablePart(() => import('./palette.tsx'), 'Palette');
const ShortcutsSheet = closablePart(() => import('./shortcuts-sheet.tsx'), 'ShortcutsSheet');
const NewProjectDialog = closablePart(
  () => import('../screens/projects/new-project-dialog.tsx'),
  'NewProjectDialog',
);
const NewSessionDialog = closablePart(
  () => import('../screens/projects/new-session-dialog.tsx'),
  'NewSessionDialog',
);
const NewDirectDialog = closablePart(() => import('./new-direct-dialog.tsx'), 'NewDirectDialog');
const NewTaskDialog = closablePart(
  () => import('../screens/tasks/create/new-task-dialog.tsx'),
  'NewTaskDialog',
);
const StatusDialog = closablePart(() => import('./status-dialog.tsx'), 'StatusDialog');
const NewOrgDialog = closablePart(() => import('./new-org-dialog.tsx'), 'NewOrgDialog');

const PALETTE_DELAY_MS = 1_500;

/** Here, `c` creates a task instead of a session. */
const TASK_ROUTES: ReadonlySet<string> = new Set([
  '/workspace/tasks',
  '/workspace/p/$slug/tasks',
  '/workspace/p/$slug/tasks/board',
  '/workspace/p/$slug/t/$number',
]);

type Overlay =
  | { kind: 'palette' | 'shortcuts' | 'project' | 'org' | 'status' }
  | { kind: 'direct'; userIds: readonly string[] }
  | { kind: 'session'; slug: string | undefined }
  | { kind: 'task'; start: NewTaskStart };

/** The dialogs above the screens, one at a time, and the keys that open them. */
export function Overlays({ children }: { children: ReactNode }) {
  const [overlay, setOverlay] = useState<Overlay>();
  const { slug } = useParams({ strict: false });
  const currentSlug = slug === DIRECT_SLUG ? undefined : slug;
  const navigate = useNavigate();
  const actions = useMemo<ShellActions>(
    () => ({
      openPalette: () => setOverlay({ kind: 'palette' }),
      openShortcuts: () => setOverlay({ kind: 'shortcuts' }),
      openNewProject: () => setOverlay({ kind: 'project' }),
      openNewSession: (chosen = currentSlug) => setOverlay({ kind: 'session', slug: chosen }),
      openNewDirect: (userIds = []) => setOverlay({ kind: 'direct', userIds }),
      openNewChat: (chosen = currentSlug) =>
        void navigate({ to: '/chat', search: chosen ? { project: chosen } : {} }),
      openNewTask: (start) => setOverlay({ kind: 'task', start: { slug: currentSlug, ...start } }),
      openNewOrg: () => setOverlay({ kind: 'org' }),
      openStatus: () => setOverlay({ kind: 'status' }),
    }),
    [currentSlug, navigate],
  );
  useShellShortcuts(actions);
  useEffect(() => {
    // People who press ⌘K type right away, so the palette is loaded ahead of time.
    const timer = setTimeout(() => void Palette.preload(), PALETTE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  const close = () => {
    setOverlay(undefined);
    if (overlay?.kind === 'task') overlay.start.onClosed?.();
  };
  return (
    <ShellActionsContext value={actions}>
      {children}
      <FileLayer />
      {overlay?.kind === 'palette' && <Palette onClose={close} />}
      {overlay?.kind === 'shortcuts' && <ShortcutsSheet onClose={close} />}
      {overlay?.kind === 'project' && <NewProjectDialog onClose={close} />}
      {overlay?.kind === 'session' && <NewSessionDialog slug={overlay.slug} onClose={close} />}
      {overlay?.kind === 'direct' && <NewDirectDialog userIds={overlay.userIds} onClose={close} />}
      {overlay?.kind === 'task' && <NewTaskDialog start={overlay.start} onClose={close} />}
      {overlay?.kind === 'org' && <NewOrgDialog onClose={close} />}
      {overlay?.kind === 'status' && <StatusDialog onClose={close} />}
    </ShellActionsContext>
  );
}

function useShellShortcuts(actions: ShellActions): void {
  const navigate = useNavigate();
  const { sessionId } = useParams({ strict: false });
  const isAmongTasks = useMatches({
    select: (matches) => matches.some(({ routeId }) => TASK_ROUTES.has(routeId)),
  });
  const all = useFollowedSessions();
  const direct = useDirectSessions();
  function step(by: 1 | -1): void {
    // In the order of the sidebar.
    const places = [
      { slug: DIRECT_SLUG, sessions: direct },
      ...(all ?? []).map(({ project: { slug }, sessions }) => ({ slug, sessions })),
    ];
    const list = places.flatMap(({ slug, sessions = [] }) =>
      sessions.map(({ id }) => ({ slug, sessionId: id })),
    );
    const at = list.findIndex((entry) => entry.sessionId === sessionId);
    const next = at < 0 ? list.at(by === 1 ? 0 : -1) : list.at((at + by) % list.length);
    if (next) void navigate({ to: '/p/$slug/s/$sessionId', params: next });
  }
  const shortcuts = {
    palette: actions.openPalette,
    help: actions.openShortcuts,
    chat: () => actions.openNewChat(),
    create: () => (isAmongTasks ? actions.openNewTask() : actions.openNewSession()),
    open: (to: MainPage['to']) => void navigate({ to }),
    previousSession: () => step(-1),
    nextSession: () => step(1),
  };
  useShortcuts(shortcuts, sessionId !== undefined);
}
