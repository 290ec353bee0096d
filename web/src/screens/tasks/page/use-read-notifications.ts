import type { Task } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useUnreadNotifications } from '../../../data/queries.ts';
import { useIsVisible } from '../../../data/visible-tabs.ts';
import { useWorkspace } from '../../../data/workspace.tsx';

/** Whoever looks at a task has read what they were told about it. */
export function useReadNotifications({ id: taskId }: Task): void {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const isVisible = useIsVisible();
  const { data } = useUnreadNotifications();
  // Only the newest are listed. The others may be about it too.
  const hasOlder = data !== undefined && data.total > data.items.length;
  const newest = data?.items.find((one) => one.taskId === taskId)?.id;
  useEffect(() => {
    if (!isVisible || (newest === undefined && !hasOlder)) return;
    client.notifications.markRead({ taskId }).then(
      () => queryClient.invalidateQueries({ queryKey: keys.notifications(org.id) }),
      // Not worth an error: the next visit marks them.
      () => {},
    );
  }, [client, queryClient, org.id, taskId, isVisible, newest, hasOlder]);
}
