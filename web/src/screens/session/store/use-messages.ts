import { useEffect, useMemo } from 'react';
import { useHints } from '../../../data/live.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import type { MessageStore } from './message-store.ts';
import { SessionMessages } from './session-messages.ts';

/** The current session's messages, kept up to date by hints. */
export function useSessionMessages(slug: string, sessionId: string): SessionMessages {
  const { client } = useWorkspace();
  const messages = useMemo(
    () => new SessionMessages(client, slug, sessionId),
    [client, slug, sessionId],
  );
  const follow = useMemo(() => messages.follow.bind(messages), [messages]);
  useHints(follow);
  return messages;
}

/** The replies to one message, oldest first. */
export function useThread(messages: SessionMessages, parentMessageId: string): MessageStore {
  const thread = useMemo(() => messages.createThread(parentMessageId), [messages, parentMessageId]);
  useEffect(
    () => messages.openThread(parentMessageId, thread),
    [messages, thread, parentMessageId],
  );
  return thread;
}
