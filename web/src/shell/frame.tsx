import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useIsConnected, useLiveUpdates } from '../data/live.ts';
import { useStore } from '../data/store.ts';
import { cardsNeeded } from '../shared/person/cards-needed.ts';
import { preloadParts } from '../data/parts.ts';
import { holdWhileVisible } from '../data/visible-tabs.ts';
import { useHasUploads } from '../data/uploads/uploads.ts';
import { useDelivery } from '../screens/session/composer/delivery.ts';
import { useUnreadInTitle } from '../ui/pages/page.tsx';
import { quietPart } from '../ui/layers/part-boundary.tsx';
import { isLoud } from '../data/following.ts';
import { useOverview } from '../data/queries.ts';
import { useFollowedSessions } from '../data/all-sessions.ts';
import { Announcer } from './announcer.tsx';
import { Drawer } from './drawer.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { InShell } from '../ui/pages/page-broken.tsx';
import { Overlays } from './overlays.tsx';
import { useRememberPlace } from '../data/device/recent-places.ts';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';

const Uploads = quietPart(() => import('../data/uploads/run-uploads.ts'), 'Uploads');
const InboxNews = quietPart(() => import('../screens/inbox/inbox-news.ts'), 'InboxNews');

const PeopleUpkeep = quietPart(() => import('../data/people.ts'), 'PeopleUpkeep');
const PersonCardLayer = quietPart(
  () => import('../shared/person/person-card.tsx'),
  'PersonCardLayer',
);

const MAIN_ID = 'content';

/** The sidebar and the current screen, which scrolls on its own. */
export function Frame() {
  useLiveUpdates();
  useDelivery();
  useParts();
  useEffect(holdWhileVisible, []);
  const isSettled = useIsSettled();
  const hasUploads = useHasUploads();
  const areCardsNeeded = useStore(cardsNeeded);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const all = useFollowedSessions();
  useUnreadInTitle(useLoudTotal());
  const onMove = useCallback(() => {
    setDrawerOpen(false);
    main.current?.scrollTo(0, 0);
    // The link that led here may have gone with its screen, and focus with it.
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, []);
  return (
    <InShell value={true}>
      <Place onMove={onMove} />
      {(isSettled || hasUploads) && <Uploads />}
      {isSettled && <InboxNews />}
      {isSettled && <PeopleUpkeep />}
      <Overlays>
        <a
          href={`#${MAIN_ID}`}
          className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-accent-strong px-4 py-2 text-sm font-medium text-on-accent focus:translate-y-0"
          onClick={(event) => {
            event.preventDefault();
            main.current?.focus();
          }}
        >
          Skip to content
        </a>
        <div className="flex h-dvh flex-col md:flex-row print:block print:h-auto">
          <div className="hidden w-68 shrink-0 border-r border-line bg-surface md:block print:hidden">
            <Sidebar projects={all} />
          </div>
          <TopBar isDrawerOpen={isDrawerOpen} onOpenDrawer={() => setDrawerOpen(true)} />
          {isDrawerOpen && (
            <Drawer onClose={() => setDrawerOpen(false)}>
              <Sidebar projects={all} />
            </Drawer>
          )}
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <OfflineBanner />
            <main
              ref={main}
              id={MAIN_ID}
              tabIndex={-1}
              className="relative min-h-0 min-w-0 flex-1 overflow-x-hidden overflow-y-auto outline-none print:overflow-visible"
            >
              <Outlet />
            </main>
          </div>
        </div>
        <Announcer />
        {isSettled && areCardsNeeded && <PersonCardLayer />}
      </Overlays>
    </InShell>
  );
}

/** Follows the address on its own, so that the frame is not rendered again for each place. */
function Place({ onMove }: { onMove: () => void }) {
  const { pathname } = useLocation();
  useRememberPlace(pathname);
  const shown = useRef(pathname);
  useEffect(() => {
    if (pathname === shown.current) return;
    shown.current = pathname;
    onMove();
  }, [pathname, onMove]);
  return null;
}

/** Of unread messages, without those of sessions that should not catch the eye. */
function useLoudTotal(): number {
  const { data } = useOverview();
  if (!data) return 0;
  const quiet = data.sessions.filter((session) => !isLoud(session));
  return quiet.reduce((total, { unreadCount }) => total - unreadCount, data.unreadTotal);
}

const SETTLED_MS = 1_000;
const PARTS_DELAY_MS = 5_000;

/** The page is there. What follows does not compete with it. */
function useIsSettled(): boolean {
  const whenIdle = useWhenIdle();
  const [isSettled, setSettled] = useState(false);
  useEffect(() => whenIdle(SETTLED_MS, () => setSettled(true)), [whenIdle]);
  return isSettled;
}

/** Loads the other screens ahead once the first one has what it needs, and again after a lost connection. */
function useParts(): void {
  const isConnected = useIsConnected();
  const whenIdle = useWhenIdle();
  useEffect(() => {
    if (!isConnected) return undefined;
    const stopping = new AbortController();
    const cancel = whenIdle(PARTS_DELAY_MS, () => void preloadParts(stopping.signal));
    return () => {
      cancel();
      stopping.abort();
    };
  }, [isConnected, whenIdle]);
}

/** Looks at intervals, and runs something once nothing is being loaded. Returns how to cancel it. */
function useWhenIdle(): (intervalMs: number, run: () => void) => () => void {
  const router = useRouter();
  const queryClient = useQueryClient();
  return useCallback(
    (intervalMs, run) => {
      const timer = setInterval(() => {
        if (router.state.isLoading || queryClient.isFetching() > 0) return;
        clearInterval(timer);
        run();
      }, intervalMs);
      return () => clearInterval(timer);
    },
    [router, queryClient],
  );
}
