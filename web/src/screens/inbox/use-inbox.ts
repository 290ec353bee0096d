import type { MarkNotificationsRead } from '@atrium/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { keys } from '../../data/query-keys.ts';
import { useChange } from '../../data/use-change.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { toastError } from '../../ui/layers/toast.tsx';

const PAGE = 30;

/** What the person was told, newest first, in pages. */
export function useNotifications(unread: boolean) {
  const { client, org } = useWorkspace();
  return useInfiniteQuery({
    queryKey: [...keys.notifications(org.id), 'pages', unread],
    queryFn: async ({ pageParam, signal }) => {
      const params = { unread, limit: PAGE, ...(pageParam !== null && { before: pageParam }) };
      const { items, hasNextPage } = await client.notifications.list(params, { signal });
      return { items, next: hasNextPage ? (items.at(-1)?.id ?? null) : null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

export function useMarkRead(): (what: MarkNotificationsRead) => void {
  const { mutate } = useChange({
    send: ({ client }, what: MarkNotificationsRead) => client.notifications.markRead(what),
    refetch: keys.notifications,
    onError: toastError,
  });
  return mutate;
}
