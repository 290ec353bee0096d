import { useUnreadThreads } from '../data/queries.ts';
import { UnreadCount } from '../ui/marks/unread-count.tsx';

/** How many threads have replies that the person has not read. */
export function ThreadsCount() {
  const { data = 0 } = useUnreadThreads();
  return <UnreadCount count={data} />;
}
