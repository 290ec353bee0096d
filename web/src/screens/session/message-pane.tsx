import type { Session } from '@atrium/sdk';
import { MessageCircle } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from '../../data/store.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Composer } from './composer/composer.tsx';
import { focusComposer, setDraft } from './composer/draft.ts';
import { useOutbox } from './composer/outbox.ts';
import { findLastOwn } from './last-own.ts';
import { useStopOnEscape } from './use-stop-on-escape.ts';
import { ListSkeleton } from './list/list-ends.tsx';
import type { MessageRequest } from './list/list-props.ts';
import { MessageList } from './list/message-list.tsx';
import { findUnreadFrom } from './list/rows.ts';
import { useRows } from './list/use-rows.ts';
import { useReadMark } from './read-mark.ts';
import type { StoreState } from './store/message-store.ts';
import type { SessionMessages } from './store/session-messages.ts';

interface MessagePaneProps {
  slug: string;
  session: Session;
  messages: SessionMessages;
  canWrite: boolean;
  target: MessageRequest | null;
  focusRequest: MessageRequest | null;
  onJumpToLatest: () => void;
}

/** The session's messages and its composer. */
export function MessagePane(props: MessagePaneProps) {
  const { slug, session, messages, canWrite, target, onJumpToLatest } = props;
  const { profile } = useWorkspace();
  const store = messages.main;
  const state = useStore(store);
  const outbox = useOutbox(session.id);
  const unreadFrom = useUnreadFrom(state, session.unreadCount, profile.userId);
  const rows = useRows({ state, outbox, unreadFrom });
  const [editingId, setEditingId] = useState<string | null>(null);
  const [isAtBottom, setAtBottom] = useState(false);
  useReadMark(slug, session, state.messages.at(-1), isAtBottom && state.status === 'ready');
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
          onBottomChange={setAtBottom}
        />
      )}
      {canWrite && (
        <Composer
          slug={slug}
          session={session}
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
        icon={<MessageCircle className="size-8" />}
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

/** Fixed when the session is opened, so that the divider stays while the person reads on. */
function useUnreadFrom(state: StoreState, unreadCount: number, userId: string): string | null {
  const [unreadFrom, setUnreadFrom] = useState<string | null>();
  if (unreadFrom === undefined && state.status === 'ready') {
    setUnreadFrom(state.hasNewer ? null : findUnreadFrom(state.messages, unreadCount, userId));
  }
  return unreadFrom ?? null;
}

function useLatestWhenSending(sending: number, hasNewer: boolean, jump: () => void): void {
  const before = useRef(sending);
  useEffect(() => {
    if (sending > before.current && hasNewer) jump();
    before.current = sending;
  }, [sending, hasNewer, jump]);
}
