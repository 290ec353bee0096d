import type { ChannelMapping, Message } from '@atrium/sdk';
import { useMemo } from 'react';
import type { Outbox } from '../composer/outbox.ts';
import type { StoreState } from '../store/message-store.ts';
import { buildRows, listAnswering, type Row } from './rows.ts';

interface RowsProps {
  state: StoreState;
  outbox: Outbox;
  /** In a thread, the message above its replies. */
  root?: Message | undefined;
  unreadFrom?: string | null;
  gaps?: ChannelMapping['gaps'] | undefined;
}

/** What the list shows: a session's top-level messages, or a thread's replies. */
export function useRows({ state, outbox, root, unreadFrom = null, gaps }: RowsProps): Row[] {
  const { messages: loaded, unplaced, retrying, hasOlder, hasNewer } = state;
  const isThread = root !== undefined;
  const messages = useMemo(() => {
    const shown = isThread ? loaded : loaded.filter(({ parentMessageId }) => !parentMessageId);
    return hasNewer ? shown : [...shown, ...unplaced];
  }, [loaded, unplaced, hasNewer, isThread]);
  return useMemo(
    () =>
      buildRows({
        root,
        messages,
        hasOlder,
        unreadFrom,
        answering: hasNewer ? [] : listAnswering(messages, retrying),
        outgoing: hasNewer ? [] : outbox.items,
        gaps,
      }),
    [root, messages, retrying, hasOlder, unreadFrom, hasNewer, outbox.items, gaps],
  );
}
