import type { Message } from '@atrium/sdk';
import { useEffect, useRef } from 'react';
import { useIsVisible } from '../../data/visible-tabs.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { useRememberSession } from './queries.ts';
import { useSession } from './session-context.ts';

const SETTLE_MS = 600;

interface ReadMark {
  /** The newest message that is on screen. */
  seen: Message | undefined;
  /** The list that it is in: newer messages come later. */
  messages: readonly Message[];
  /** Set in a thread. */
  parentMessageId: string | undefined;
  isHeld: boolean;
}

/** Marks messages as read once they have been on screen for a moment. */
export function useReadMark({ seen, messages, parentMessageId, isHeld }: ReadMark): void {
  const { slug, session } = useSession();
  const { client, profile } = useWorkspace();
  const remember = useRememberSession();
  const isVisible = useIsVisible();
  const marked = useRef<string>(undefined);
  const first = useRef<string>(undefined);
  const seenId = seen?.id;
  const placeOf = (id: string | undefined) => messages.findIndex((message) => message.id === id);
  const isFurther = marked.current === undefined || placeOf(seenId) > placeOf(marked.current);
  // The person's own messages are never unread. Somebody else's may have come just before one of them.
  const isOthers = ({ authorUserId }: Message) => authorUserId !== profile.userId;
  const hasAnswered = seen !== undefined && !isOthers(seen);
  const since = marked.current ?? first.current;
  const isNew =
    session.unreadCount > 0 ||
    (seen !== undefined && !hasAnswered) ||
    (since !== undefined && messages.slice(placeOf(since) + 1, placeOf(seenId) + 1).some(isOthers));
  useEffect(() => {
    first.current ??= seenId;
  }, [seenId]);
  useEffect(() => {
    if (!seenId || !isVisible || !isNew || !isFurther || isHeld) return undefined;
    // Who answers has read it, even if they leave at once.
    const settleMs = hasAnswered ? 0 : SETTLE_MS;
    const timer = setTimeout(() => {
      const before = marked.current;
      marked.current = seenId;
      const read = { messageId: seenId, ...(parentMessageId && { parentMessageId }) };
      client.sessions.markRead(slug, session.id, read).then(
        remember,
        // Not worth an error: the next message or visit marks it.
        () => (marked.current = before),
      );
    }, settleMs);
    return () => clearTimeout(timer);
  }, [
    client,
    remember,
    slug,
    session.id,
    parentMessageId,
    seenId,
    isVisible,
    isNew,
    isFurther,
    isHeld,
    hasAnswered,
  ]);
}
