import type { Message, Session } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useIsVisible } from '../../data/visible-tabs.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { rememberSession } from './queries.ts';

const SETTLE_MS = 600;

interface ReadMark {
  slug: string;
  session: Session;
  /** The newest message that is on screen. */
  seen: Message | undefined;
  /** The list that it is in: newer messages come later. */
  messages: readonly Message[];
  /** Set in a thread. */
  parentMessageId?: string;
  /** After messages were marked as unread, they stay so until the session is opened again. */
  isHeld: boolean;
}

/** Marks messages as read once they have been on screen for a moment. */
export function useReadMark(mark: ReadMark): void {
  const { slug, session, seen, messages, parentMessageId, isHeld } = mark;
  const { client, org, profile } = useWorkspace();
  const queryClient = useQueryClient();
  const isVisible = useIsVisible();
  const marked = useRef<string>(undefined);
  const first = useRef<string>(undefined);
  const seenId = seen?.id;
  const isFurther = isAfter(messages, seenId, marked.current);
  // The person's own messages are never unread. Somebody else's may have come just before one of them.
  const isOthers = ({ authorUserId }: Message) => authorUserId !== profile.userId;
  const isNew =
    session.unreadCount > 0 ||
    (seen !== undefined && isOthers(seen)) ||
    between(messages, marked.current ?? first.current, seenId).some(isOthers);
  useEffect(() => {
    first.current ??= seenId;
  }, [seenId]);
  useEffect(() => {
    if (!seenId || !isVisible || !isNew || !isFurther || isHeld) return undefined;
    const timer = setTimeout(() => {
      const before = marked.current;
      marked.current = seenId;
      const read = { messageId: seenId, ...(parentMessageId && { parentMessageId }) };
      client.sessions.markRead(slug, session.id, read).then(
        (changed) => rememberSession(queryClient, org.id, slug, changed),
        // Not worth an error: the next message or visit marks it.
        () => (marked.current = before),
      );
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [
    client,
    queryClient,
    org.id,
    slug,
    session.id,
    parentMessageId,
    seenId,
    isVisible,
    isNew,
    isFurther,
    isHeld,
  ]);
}

function isAfter(
  messages: readonly Message[],
  id: string | undefined,
  other: string | undefined,
): boolean {
  return other === undefined || indexOf(messages, id) > indexOf(messages, other);
}

/** Those after one message, up to another. None if the first is not known. */
function between(
  messages: readonly Message[],
  from: string | undefined,
  to: string | undefined,
): readonly Message[] {
  if (from === undefined) return [];
  return messages.slice(indexOf(messages, from) + 1, indexOf(messages, to) + 1);
}

function indexOf(messages: readonly Message[], id: string | undefined): number {
  return messages.findIndex((message) => message.id === id);
}
