import type { Message, Session } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useWorkspace } from '../../data/workspace.tsx';
import { rememberSession } from './queries.ts';

const SETTLE_MS = 600;

/** Marks the newest message as read once it has been on screen for a moment. */
export function useReadMark(
  slug: string,
  session: Session,
  newest: Message | undefined,
  isSeen: boolean,
): void {
  const { client, org, profile } = useWorkspace();
  const queryClient = useQueryClient();
  const isVisible = useIsVisible();
  const marked = useRef<string>(undefined);
  const newestId = newest?.id;
  // The person's own messages are never unread.
  const isNew = session.unreadCount > 0 || newest?.authorUserId !== profile.userId;
  useEffect(() => {
    if (!newestId || !isSeen || !isVisible || !isNew || marked.current === newestId)
      return undefined;
    const timer = setTimeout(() => {
      marked.current = newestId;
      client.sessions.markRead(slug, session.id, { messageId: newestId }).then(
        (changed) => rememberSession(queryClient, org.id, slug, changed),
        // Not worth an error: the next message or visit marks it.
        () => (marked.current = undefined),
      );
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [client, queryClient, org.id, slug, session.id, newestId, isSeen, isVisible, isNew]);
}

function useIsVisible(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      document.addEventListener('visibilitychange', watcher);
      return () => document.removeEventListener('visibilitychange', watcher);
    },
    () => document.visibilityState === 'visible',
  );
}
