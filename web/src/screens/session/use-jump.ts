import { useCallback, useEffect, useRef, useState } from 'react';
import type { MessageRequest } from './list/list-props.ts';
import type { SessionMessages } from './store/session-messages.ts';

let count = 0;
export const request = (id: string): MessageRequest => ({ id, nth: ++count });

/**
 * Opens the session at the message in the address, at its first unread message, or at its end. A reply
 * isn't in the session's list, so its thread is opened and the list shows its parent message.
 */
export function useJump(
  messages: SessionMessages,
  named: string | undefined,
  firstUnread: string | null,
  onReply: (parentMessageId: string) => void,
) {
  const [target, setTarget] = useState<MessageRequest | null>(null);
  const [replyTarget, setReplyTarget] = useState<MessageRequest | null>(null);
  const [isMissing, setMissing] = useState(false);
  const openReply = useRef(onReply);
  useEffect(() => {
    openReply.current = onReply;
  });
  useEffect(() => {
    let isCurrent = true;
    async function jump(id: string) {
      const { main } = messages;
      // Before the list is mounted, so that it starts there.
      setTarget(request(id));
      if (!main.find(id)) {
        // It may be in a branch that is not shown. Whoever follows a link to it wants to see it.
        await main.openAround(id).catch(() => messages.showBranch(id));
      }
      const parent = main.find(id)?.parentMessageId;
      if (parent && !main.find(parent)) await main.openAround(parent);
      if (!isCurrent || !parent) return;
      setTarget(request(parent));
      setReplyTarget(request(id));
      openReply.current(parent);
    }
    async function open() {
      setMissing(false);
      try {
        if (named !== undefined) return await jump(named);
      } catch {
        if (isCurrent) {
          setMissing(true);
          setTarget(null);
        }
      }
      const { main } = messages;
      if (main.getState().status === 'ready') return;
      // A message that can't be found is no reason to show nothing.
      if (firstUnread !== null) await main.openAround(firstUnread).catch(() => {});
      if (main.getState().status !== 'ready') await main.openLatest();
    }
    void open();
    return () => {
      isCurrent = false;
    };
    // Where it starts is decided once, when it is opened.
    // eslint-disable-next-line react/exhaustive-deps
  }, [messages, named]);
  const forget = useCallback(() => {
    setTarget(null);
    setMissing(false);
  }, []);
  return { target, replyTarget, isMissing, forget };
}
