import type { ChannelMapping, Message } from '@atrium/sdk';
import { useMemo } from 'react';
import type { Outbox } from '../composer/outbox.ts';
import type { StoreState } from '../store/message-store.ts';
import { buildRows, listAnswering, type Note, type Row } from './rows.ts';

interface RowsProps {
  state: StoreState;
  outbox: Outbox;
  /** In a thread, the message above its replies. */
  root?: Message | undefined;
  unreadFrom?: string | null;
  gaps?: ChannelMapping['gaps'] | undefined;
  notes?: readonly Note[] | undefined;
}

/** What the list shows: a session's top-level messages, or a thread's replies. */
export function useRows(props: RowsProps): Row[] {
  const { state, outbox, root, unreadFrom = null, gaps, notes } = props;
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
        notes: notes && within(notes, messages, { hasOlder, hasNewer }),
      }),
    [root, messages, retrying, hasOlder, unreadFrom, hasNewer, outbox.items, gaps, notes],
  );
}

/** Without those that belong between messages that aren't loaded. */
function within(
  notes: readonly Note[],
  messages: readonly Message[],
  { hasOlder, hasNewer }: Pick<StoreState, 'hasOlder' | 'hasNewer'>,
): readonly Note[] {
  const from = (hasOlder && messages[0]?.createdAt) || '';
  const to = hasNewer ? messages.at(-1)?.createdAt : undefined;
  return notes.filter(({ at }) => at >= from && (to === undefined || at <= to));
}
