import type { Session } from '@atrium/sdk';
import { MessageCircle } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useChannel } from '../../data/queries.ts';
import { useStore } from '../../data/store.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { Composer } from './composer/composer.tsx';
import { setDraft } from '../../data/device/drafts.ts';
import { focusComposer } from './composer/composers.ts';
import { useOutbox } from './composer/outbox.ts';
import { findLastOwn } from './last-own.ts';
import { useStopOnEscape } from './use-stop-on-escape.ts';
import { ListSkeleton } from './list/list-ends.tsx';
import type { MessageRequest, Seen } from './list/list-props.ts';
import { MessageList } from './list/message-list.tsx';
import { useRows } from './list/use-rows.ts';
import { useReadMark } from './read-mark.ts';
import type { SessionMessages } from './store/session-messages.ts';

interface MessagePaneProps {
  slug: string;
  session: Session;
  messages: SessionMessages;
  canWrite: boolean;
  target: MessageRequest | null;
  focusRequest: MessageRequest | null;
  /** The first unread message. Fixed when the session is opened, so that the divider stays. */
  unreadFrom: string | null;
  isUnreadHeld: boolean;
  isBeside: boolean;
  onJumpToLatest: () => void;
}

/** The session's messages and its composer. */
export function MessagePane(props: MessagePaneProps) {
  const { slug, session, messages, canWrite, target, unreadFrom, onJumpToLatest } = props;
  const { profile } = useWorkspace();
  const store = messages.main;
  const state = useStore(store);
  const outbox = useOutbox(session.id);
  const gaps = useChannel(session)?.gaps;
  const rows = useRows({ state, outbox, unreadFrom, gaps });
  const [editingId, setEditingId] = useState<string | null>(null);
  const [seen, setSeen] = useState<Seen>();
  const onSeen = useCallback((now: Seen) => setSeen(now), []);
  useReadMark({
    slug,
    session,
    // Below the last message there are only replies, which are in their threads.
    seen: seen?.isNewest ? state.messages.at(-1) : store.find(seen?.messageId ?? ''),
    messages: state.messages,
    isHeld: props.isUnreadHeld,
  });
  useLatestWhenSending(outbox.items.length, state.hasNewer, onJumpToLatest);
  const onKeyDown = useStopOnEscape(rows, state.retrying, session.id);
  return (
    <div className="contents" onKeyDown={onKeyDown}>
      {state.status === 'failed' ? (
        <div className="flex-1 p-4">
          <ErrorNote error={state.error} onRetry={() => void store.openLatest()} />
        </div>
      ) : state.status === 'loading' ? (
        <ListSkeleton />
      ) : rows.length === 0 && !state.hasOlder ? (
        <NoMessages sessionId={session.id} canWrite={canWrite} />
      ) : (
        <MessageList
          key={state.generation}
          label="Messages"
          isInThread={false}
          start={<p className="text-sm text-muted">This is the start of the session.</p>}
          {...{ store, state, rows, outbox, target, editingId, onJumpToLatest }}
          focusRequest={props.focusRequest}
          onEdit={setEditingId}
          startAt={state.generation === 1 ? unreadFrom : null}
          onSeen={onSeen}
        />
      )}
      {canWrite && (
        <Composer
          slug={slug}
          session={session}
          takesFocus={!props.isBeside}
          onSent={(message) => messages.addPosted(message)}
          onEditLast={() => setEditingId(findLastOwn(rows, profile.userId))}
        />
      )}
    </div>
  );
}

const EXAMPLE = '@recall what did we decide about ';

function NoMessages({ sessionId, canWrite }: { sessionId: string; canWrite: boolean }) {
  function fillIn() {
    setDraft(sessionId, undefined, EXAMPLE);
    focusComposer();
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto p-4">
      <EmptyState
        icon={MessageCircle}
        title="No messages yet"
        action={canWrite && <Button onClick={fillIn}>{EXAMPLE.trim()}…</Button>}
      >
        {canWrite
          ? 'Write the first message below. Mention a model with @ and it answers from what your team knows.'
          : 'It was archived before anyone wrote in it.'}
      </EmptyState>
    </div>
  );
}

function useLatestWhenSending(sending: number, hasNewer: boolean, jump: () => void): void {
  const before = useRef(sending);
  useEffect(() => {
    if (sending > before.current && hasNewer) jump();
    before.current = sending;
  }, [sending, hasNewer, jump]);
}
