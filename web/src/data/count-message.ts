import type { Session, SessionDetails } from '@atrium/sdk';
import type { QueryClient } from '@tanstack/react-query';
import type { Hint } from '../../../server/src/bus/hints.ts';
import { keys } from './query-keys.ts';
import type { Overview } from './queries.ts';

/** The API counts no further. */
const MOST_COUNTED = 100;

interface Person {
  orgId: string;
  userId: string;
}

/**
 * Counts a new message in the list of followed sessions without fetching it. Whatever can't be known from the hint
 * is fetched: the message may be counted already, or the person follows its session only because of it.
 */
export function countMessage(
  queryClient: QueryClient,
  { orgId, userId }: Person,
  hint: Extract<Hint, { type: 'message.created' }>,
): void {
  const queryKey = keys.overview(orgId);
  const refetch = () => void queryClient.invalidateQueries({ queryKey });
  const overview = queryClient.getQueryData<Overview>(queryKey);
  if (!overview || queryClient.isFetching({ queryKey }) > 0) return refetch();
  const isOwn = hint.authorUserId === userId;
  const session = overview.sessions.find(({ id }) => id === hint.sessionId);
  if (!session) {
    if (isOwn || hint.mentionedUserIds.includes(userId) || overview.hasMore) refetch();
    return undefined;
  }
  const { lastMessageAt, unreadCount: before } = session;
  if (lastMessageAt !== null && hint.createdAt <= lastMessageAt) return refetch();
  const unreadCount = isOwn ? before : Math.min(before + 1, MOST_COUNTED);
  const changed = { ...session, lastMessageAt: hint.createdAt, unreadCount };
  queryClient.setQueryData<Overview>(queryKey, replaceIn(overview, changed));
}

/** Puts how much of a session is unread into everything that shows it. */
export function setUnread(
  queryClient: QueryClient,
  orgId: string,
  sessionId: string,
  unreadCount: number,
): void {
  queryClient.setQueryData<Overview>(keys.overview(orgId), (overview) => {
    const session = overview?.sessions.find(({ id }) => id === sessionId);
    return session && overview && replaceIn(overview, { ...session, unreadCount });
  });
  queryClient.setQueryData<SessionDetails>(
    keys.session(orgId, sessionId),
    (opened) => opened && { ...opened, unreadCount },
  );
}

/** The list with a session as it is now. One that the person does not follow is not in it. */
export function replaceIn(overview: Overview, session: Session): Overview {
  const before = overview.sessions.find(({ id }) => id === session.id);
  const others = overview.sessions.filter(({ id }) => id !== session.id);
  const sessions = !session.isFollowed
    ? others
    : before
      ? overview.sessions.map((old) => (old.id === session.id ? session : old))
      : [session, ...others];
  const unreadTotal =
    overview.unreadTotal -
    (before?.unreadCount ?? 0) +
    (session.isFollowed ? session.unreadCount : 0);
  return { ...overview, sessions, unreadTotal };
}
