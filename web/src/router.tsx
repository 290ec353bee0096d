import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { lazyScreen } from './data/parts.ts';
import { afterPaint } from './data/after-paint.ts';
import { readChatSearch } from './screens/chat/search-params.ts';
import { readProjectFilesSearch } from './screens/files/search-params.ts';
import { readLaterSearch } from './screens/later/search-params.ts';
import { readMemorySearch } from './screens/memory/search-params.ts';
import { readMessageSearch } from './screens/search/search-params.ts';
import { readSessionSearch } from './screens/session/search-params.ts';
import { SETTINGS_PAGES } from './screens/settings/pages.ts';
import { ScreenLoading } from './shell/frame-loading.tsx';
import { readFileSearch } from './shared/files/shown-files.ts';
import { NotFound, PageBroken } from './ui/pages/page-broken.tsx';
import { Shell } from './shell/shell.tsx';
import { readTaskSearch } from './screens/tasks/list/search-params.ts';

/**
 * Every address of the app. Each screen is loaded when it is first opened. Below `workspace`, the shell
 * makes sure that the person is signed in and has an org.
 */

/** Whoever left by a key may go on typing, and that belongs to the next place. */
function isTyping(): boolean {
  return document.activeElement?.matches('textarea, input, [contenteditable]') ?? false;
}

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  beforeLoad: ({ cause, preload }) =>
    preload || cause === 'enter' || isTyping() ? undefined : afterPaint(),
});

const screen = { getParentRoute: () => root } as const;

export interface SignInSearch {
  /** Where to go afterwards: a local path, checked when it is used. */
  returnTo?: string;
  /** Set if the person was signed in until now. */
  ended?: true;
}

const signIn = createRoute({
  ...screen,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({
    ...(typeof search['returnTo'] === 'string' && { returnTo: search['returnTo'] }),
    ...(search['ended'] === true && { ended: true }),
  }),
  component: lazyScreen(() => import('./screens/sign-in/sign-in.tsx'), 'SignIn'),
});

const invitation = createRoute({
  ...screen,
  path: '/invite/$token',
  component: lazyScreen(() => import('./screens/sign-in/invitation.tsx'), 'Invitation'),
});

const confirmEmail = createRoute({
  ...screen,
  path: '/confirm-email',
  component: lazyScreen(() => import('./screens/sign-in/confirm-email.tsx'), 'ConfirmEmail'),
});

const undoEmail = createRoute({
  ...screen,
  path: '/undo-email',
  component: lazyScreen(() => import('./screens/sign-in/undo-email.tsx'), 'UndoEmail'),
});

const workspace = createRoute({
  ...screen,
  id: 'workspace',
  validateSearch: readFileSearch,
  component: Shell,
});

const inside = { getParentRoute: () => workspace } as const;

/** A screen in the shell, without anything after the `?` of its address. */
function page<Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) {
  return createRoute({ ...inside, path, component: lazyScreen(load, name) });
}

const session = createRoute({
  ...inside,
  path: '/p/$slug/s/$sessionId',
  validateSearch: readSessionSearch,
  component: lazyScreen(() => import('./screens/session/session.tsx'), 'SessionScreen'),
});

const chat = createRoute({
  ...inside,
  path: '/chat',
  validateSearch: readChatSearch,
  component: lazyScreen(() => import('./screens/chat/new-chat.tsx'), 'NewChat'),
});

/** Of the person, or of somebody else. */
const ofAssignee = createRoute({
  ...inside,
  path: '/tasks',
  validateSearch: readTaskSearch,
  component: lazyScreen(() => import('./screens/tasks/list/my-tasks.tsx'), 'MyTasksScreen'),
});

const tasks = createRoute({
  ...inside,
  path: '/p/$slug/tasks',
  validateSearch: readTaskSearch,
  component: lazyScreen(() => import('./screens/tasks/list/task-list.tsx'), 'TaskListScreen'),
});

const board = createRoute({
  ...inside,
  path: '/p/$slug/tasks/board',
  validateSearch: readTaskSearch,
  component: lazyScreen(() => import('./screens/tasks/board/board.tsx'), 'BoardScreen'),
});

const task = createRoute({
  ...inside,
  path: '/p/$slug/t/$number',
  validateSearch: readSessionSearch,
  component: lazyScreen(() => import('./screens/tasks/page/task.tsx'), 'TaskScreen'),
});

const files = createRoute({
  ...inside,
  path: '/p/$slug/files',
  validateSearch: readProjectFilesSearch,
  component: lazyScreen(() => import('./screens/files/files.tsx'), 'FilesScreen'),
});

const later = createRoute({
  ...inside,
  path: '/later',
  validateSearch: readLaterSearch,
  component: lazyScreen(() => import('./screens/later/later.tsx'), 'LaterScreen'),
});

const memory = createRoute({
  ...inside,
  path: '/memory',
  validateSearch: readMemorySearch,
  component: lazyScreen(() => import('./screens/memory/memory.tsx'), 'MemoryScreen'),
});

const projectMemory = createRoute({
  ...inside,
  path: '/p/$slug/memory',
  validateSearch: readMemorySearch,
  component: lazyScreen(() => import('./screens/memory/memory.tsx'), 'ProjectMemoryScreen'),
});

const search = createRoute({
  ...inside,
  path: '/search',
  validateSearch: readMessageSearch,
  component: lazyScreen(() => import('./screens/search/search.tsx'), 'SearchScreen'),
});

const settings = page('/settings', () => import('./screens/settings/settings.tsx'), 'Settings');

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: SETTINGS_PAGES[0].to });
  },
});

const settingsPages = SETTINGS_PAGES.map(({ to, component }) =>
  createRoute({ getParentRoute: () => settings, path: withoutPrefix(to), component }),
);

function withoutPrefix<Path extends string>(to: `/settings${Path}`): Path {
  return to.slice('/settings'.length) as Path;
}

/** Inside the frame, so that people can navigate on. */
const unknown = createRoute({ ...inside, path: '$', component: NotFound });

const tree = root.addChildren([
  signIn,
  invitation,
  confirmEmail,
  undoEmail,
  workspace.addChildren([
    page('/', () => import('./screens/projects/home.tsx'), 'Home'),
    page('/inbox', () => import('./screens/inbox/inbox.tsx'), 'InboxScreen'),
    page('/p/$slug', () => import('./screens/projects/project.tsx'), 'ProjectScreen'),
    session,
    chat,
    page('/threads', () => import('./screens/threads/threads.tsx'), 'ThreadsScreen'),
    later,
    ofAssignee,
    tasks,
    board,
    task,
    files,
    page('/p/$slug/channels', () => import('./screens/channels/channels.tsx'), 'ChannelsScreen'),
    memory,
    projectMemory,
    search,
    settings.addChildren([settingsIndex, ...settingsPages]),
    unknown,
  ]),
]);

export function createAppRouter() {
  return createRouter({
    routeTree: tree,
    defaultPreload: 'intent',
    defaultErrorComponent: PageBroken,
    defaultPendingComponent: ScreenLoading,
    defaultPendingMs: 300,
    scrollRestoration: false,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
