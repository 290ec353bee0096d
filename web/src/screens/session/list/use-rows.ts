import type { Message, Session } from '@atrium/sdk';
import { useEffect, useMemo, useState } from 'react';
import { useIntegrations, useModels } from '../../../data/queries.ts';
import type { Outbox } from '../composer/outbox.ts';
import type { StoreState } from '../store/message-store.ts';
import { findAnswering, type Answering } from './answering.ts';
import { buildRows, type Row } from './rows.ts';

interface RowsProps {
  state: StoreState;
  session: Session;
  outbox: Outbox;
  /** In a thread, the message above its replies. */
  root?: Message | undefined;
  unreadFrom?: string | null;
}

/** What the list shows: a session's top-level messages, or a thread's replies. */
export function useRows({ state, session, outbox, root, unreadFrom = null }: RowsProps): Row[] {
  const { messages: loaded, unplaced, hasOlder, hasNewer } = state;
  const isThread = root !== undefined;
  const messages = useMemo(() => {
    const shown = isThread ? loaded : loaded.filter(({ parentMessageId }) => !parentMessageId);
    return hasNewer ? shown : [...shown, ...unplaced];
  }, [loaded, unplaced, hasNewer, isThread]);
  const answering = useAnswering(messages, session);
  return useMemo(
    () =>
      buildRows({
        root,
        messages,
        hasOlder,
        unreadFrom,
        answering: hasNewer ? [] : answering,
        outgoing: hasNewer ? [] : outbox.items,
      }),
    [root, messages, hasOlder, unreadFrom, answering, hasNewer, outbox.items],
  );
}

function useAnswering(messages: readonly Message[], session: Session): Answering[] {
  const { data: models } = useModels();
  const { data: integrations } = useIntegrations();
  const [now, setNow] = useState(Date.now);
  const answering = useMemo(
    () =>
      models
        ? findAnswering(messages, { models, integrations: integrations ?? [], session }, now)
        : [],
    [messages, models, integrations, session, now],
  );
  const until = Math.min(...answering.map((one) => one.until));
  useEffect(() => {
    if (until === Infinity) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, until - Date.now()) + 50);
    return () => clearTimeout(timer);
  }, [until]);
  return answering;
}
