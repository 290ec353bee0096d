import { useUnreadNotifications } from '../data/queries.ts';
import { UnreadCount } from '../ui/marks/unread-count.tsx';

export function InboxCount() {
  const { data } = useUnreadNotifications();
  return <UnreadCount count={data?.total ?? 0} />;
}
