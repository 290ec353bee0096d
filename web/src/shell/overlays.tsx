import { useMatches, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { lazyPart } from '../data/parts.ts';
import { PartBoundary } from '../ui/layers/part-boundary.tsx';
import { useAllSessions } from '../data/all-sessions.ts';
import {
  ShellActionsContext,
  type NewTaskStart,
  type ShellActions,
} from '../shared/shell-actions.ts';
import { useShortcuts, type ShortcutActions } from './shortcuts.ts';

// Loaded ahead or when first opened, to keep the first page small.
const Palette = lazyPart(() => import('./palette.tsx'), 'Palette');
const ShortcutsSheet = lazyPart(() => import('./shortcuts-sheet.tsx'), 'ShortcutsSheet');
const NewProjectDialog = lazyPart(
  () => import('../screens/projects/new-project-dialog.tsx'),
  'NewProjectDialog',
);
const NewSessionDialog = lazyPart(
  () => import('../screens/projects/new-session-dialog.tsx'),
  'NewSessionDialog',
);
const NewTaskDialog = lazyPart(
  () => import('../screens/tasks/create/new-task-dialog.tsx'),
  'NewTaskDialog',
);
const NewOrgDialog = lazyPart(() => import('./new-org-dialog.tsx'), 'NewOrgDialog');

const PALETTE_DELAY_MS = 1_500;

/** Here, `c` creates a task instead of a session. */
const TASK_ROUTES: ReadonlySet<string> = new Set([
  '/workspace/tasks',
  '/workspace/p/$slug/tasks',
  '/workspace/p/$slug/tasks/board',
  '/workspace/p/$slug/t/$number',
]);

type Overlay =
  | { kind: 'palette' | 'shortcuts' | 'project' | 'org' }
  | { kind: 'session'; slug: string | undefined }
  | { kind: 'task'; start: NewTaskStart };

/** The dialogs above the screens, one at a time, and the keys that open them. */
export function Overlays({ children }: { children: ReactNode }) {
  const [overlay, setOverlay] = useState<Overlay>();
  const { slug: currentSlug } = useParams({ strict: false });
  const actions = useMemo<ShellActions>(
    () => ({
      openPalette: () => setOverlay({ kind: 'palette' }),
      openShortcuts: () => setOverlay({ kind: 'shortcuts' }),
      openNewProject: () => setOverlay({ kind: 'project' }),
      openNewSession: (slug) => setOverlay({ kind: 'session', slug: slug ?? currentSlug }),
      openNewTask: (start) => setOverlay({ kind: 'task', start: { slug: currentSlug, ...start } }),
      openNewOrg: () => setOverlay({ kind: 'org' }),
    }),
    [currentSlug],
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
      {overlay && (
        <PartBoundary onClose={close}>
          {overlay.kind === 'palette' && <Palette onClose={close} />}
          {overlay.kind === 'shortcuts' && <ShortcutsSheet onClose={close} />}
          {overlay.kind === 'project' && <NewProjectDialog onClose={close} />}
          {overlay.kind === 'session' && <NewSessionDialog slug={overlay.slug} onClose={close} />}
          {overlay.kind === 'task' && <NewTaskDialog start={overlay.start} onClose={close} />}
          {overlay.kind === 'org' && <NewOrgDialog onClose={close} />}
        </PartBoundary>
      )}
    </ShellActionsContext>
  );
}

function useShellShortcuts(actions: ShellActions): void {
  const { openPalette, openShortcuts, openNewSession, openNewTask } = actions;
  const navigate = useNavigate();
  const { sessionId } = useParams({ strict: false });
  const isAmongTasks = useMatches({
    select: (matches) => matches.some(({ routeId }) => TASK_ROUTES.has(routeId)),
  });
  const all = useAllSessions();
  function step(by: 1 | -1): void {
    const list = (all ?? []).flatMap(({ project, sessions }) =>
      (sessions ?? []).map(({ id }) => ({ slug: project.slug, sessionId: id })),
    );
    const at = list.findIndex((entry) => entry.sessionId === sessionId);
    const next = at < 0 ? list.at(by === 1 ? 0 : -1) : list.at((at + by) % list.length);
    if (next) void navigate({ to: '/p/$slug/s/$sessionId', params: next });
  }
  const shortcuts: ShortcutActions = {
    palette: openPalette,
    help: openShortcuts,
    create: () => (isAmongTasks ? openNewTask() : openNewSession()),
    open: (page) => void navigate({ to: page }),
    previousSession: () => step(-1),
    nextSession: () => step(1),
  };
  useShortcuts(shortcuts, sessionId !== undefined);
}
