import type { Notification } from '@atrium/sdk';
import { CheckCheck, Inbox } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { useAgentNames, useMe, useUnreadNotifications } from '../../data/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Choice } from '../../ui/controls/choice.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { MoreButton } from '../../ui/pages/more-button.tsx';
import { PageHeader } from '../../ui/pages/page.tsx';
import { BrowserOffer } from './browser-offer.tsx';
import { NotificationRow } from './notification-row.tsx';
import { useInboxKeys } from './use-inbox-keys.ts';
import { useMarkRead, useNotifications } from './use-inbox.ts';
import { actorOf } from './notification-words.ts';
import { PAGE } from '../../ui/pages/page-edge.ts';

type Filter = 'all' | 'unread';

/** What the person was told: mentions, replies in their threads, answers to their questions, tasks. */
export function InboxScreen() {
  const [filter, setFilter] = useState<Filter>('all');
  const list = useNotifications(filter === 'unread');
  const { data: unread } = useUnreadNotifications();
  const markRead = useMarkRead();
  const items = list.data?.pages.flatMap((page) => page.items);
  const newest = items?.[0];
  return (
    <div className={PAGE}>
      <PageHeader
        title="Inbox"
        actions={
          newest && (
            <Button
              disabled={unread?.total === 0}
              onClick={() => markRead({ until: newest.createdAt })}
              icon={CheckCheck}
            >
              Mark all as read
            </Button>
          )
        }
      >
        Direct messages, mentions, replies in your threads, answers to your questions, and tasks
        that concern you.
      </PageHeader>
      <Choice
        label="Show"
        isLabelHidden
        options={{ all: 'All', unread: 'Unread' }}
        value={filter}
        onChange={setFilter}
      />
      {newest && <BrowserOffer />}
      <Loading of={list} label="Loading notifications…" />
      {items?.length === 0 && <Nothing filter={filter} />}
      {items && items.length > 0 && (
        <Notifications items={items} isUnreadOnly={filter === 'unread'} />
      )}
      <MoreButton of={list}>Show older</MoreButton>
    </div>
  );
}

interface NotificationsProps {
  items: Notification[];
  isUnreadOnly: boolean;
}

function Notifications({ items, isUnreadOnly }: NotificationsProps) {
  const list = useRef<HTMLUListElement>(null);
  const agentName = useAgentNames();
  const markRead = useMarkRead();
  const onRead = useCallback((id: string) => markRead({ ids: [id] }), [markRead]);
  useInboxKeys({ list, onRead, isUnreadOnly });
  return (
    <ul
      ref={list}
      aria-label="Notifications"
      className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface"
    >
      {items.map((item) => (
        <NotificationRow
          key={item.id}
          notification={item}
          actor={actorOf(item, agentName)}
          onRead={onRead}
        />
      ))}
    </ul>
  );
}

function Nothing({ filter }: { filter: Filter }) {
  const { data: me } = useMe();
  if (filter === 'unread') {
    return (
      <EmptyState icon={Inbox} title="Nothing unread">
        You’re all caught up.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Inbox} title="Nothing yet">
      When somebody mentions you, replies in your thread or assigns you a task, or an agent answers
      you, you find it here.
      {me?.handle && (
        <>
          {' '}
          Others mention you with <strong className="font-medium text-ink">@{me.handle}</strong>.
        </>
      )}
    </EmptyState>
  );
}
