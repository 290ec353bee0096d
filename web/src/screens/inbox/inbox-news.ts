import type { Notification } from '@atrium/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useAgentNames, useUnreadNotifications } from '../../data/queries.ts';
import { isInBackground } from '../../data/visible-tabs.ts';
import { useInboxInTitle } from '../../ui/pages/page.tsx';
import { showInBrowser } from '../../data/device/browser-notifications.ts';
import { useMarkRead } from './use-inbox.ts';
import { actorOf, happened, placeOf } from './notification-words.ts';

/** Tells the person what arrives in the inbox, whichever page they are on. Mounted once. */
export function InboxNews(): null {
  const { data } = useUnreadNotifications();
  useInboxInTitle(data?.total ?? 0);
  const show = useShow();
  const newest = useRef<string>(undefined);
  useEffect(() => {
    if (!data) return;
    const before = newest.current;
    const [latest] = data.items;
    if (before === undefined || (latest && latest.createdAt > before)) {
      newest.current = latest?.createdAt ?? '';
    }
    // What was there when the page was opened is no news.
    if (before === undefined) return;
    const news = data.items
      .filter(({ createdAt, isQuiet }) => createdAt > before && !isQuiet)
      .toReversed();
    if (news.length > 0) void isInBackground().then((isAway) => isAway && news.forEach(show));
  }, [data, show]);
  return null;
}

function useShow(): (notification: Notification) => void {
  const navigate = useNavigate();
  const agentName = useAgentNames();
  const markRead = useMarkRead();
  return useCallback(
    (notification: Notification) => {
      const { id, text } = notification;
      const title = `${actorOf(notification, agentName)} ${happened(notification)}`;
      const onOpen = () => {
        markRead({ ids: [id] });
        void navigate(placeOf(notification));
      };
      showInBrowser({ id, title, text, onOpen });
    },
    [navigate, agentName, markRead],
  );
}
