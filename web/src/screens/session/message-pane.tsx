import type { Message } from '@atrium/sdk';
import { MessageCircle } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { isDirect, useSessionName } from '../../data/direct.ts';
import { useChannel } from '../../data/queries.ts';
import { useStore } from '../../data/store.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { AfterPaint } from '../../ui/pages/after-paint.tsx';
import { cx } from '../../ui/text/cx.ts';
import { Composer } from './composer/composer.tsx';
import { setDraft } from '../../data/device/drafts.ts';
import { focusComposer } from './composer/composers.ts';
import { useOutbox } from './composer/outbox.ts';
import { useStopOnEscape } from './use-stop-on-escape.ts';
import { ListSkeleton } from './list/list-ends.tsx';
import type { MessageListProps, Seen } from './list/list-props.ts';
import { MessageList } from './list/message-list.tsx';
import { findLastOwn, findStoppable } from './list/rows.ts';
import { useRows } from './list/use-rows.ts';
import { useReadMark } from './read-mark.ts';
import { useSession, type Around } from './session-context.ts';
import { useMessageActions } from './use-message-actions.ts';

interface MessagePaneProps extends Pick<
  MessageListProps,
  'store' | 'target' | 'focusRequest' | 'onJumpToLatest'
> {
  /** In a thread, the message whose replies these are. */
  root?: Message;
  /** The first unread message. Fixed when the session is opened, so that the divider stays. */
  unreadFrom?: string | null;
  /** After messages were marked as unread, they stay so until the session is opened again. */
  isUnreadHeld: boolean;
}

/** The messages of the session or of a thread, and their composer. */
export function MessagePane(props: MessagePaneProps) {
  const { store, root, target, focusRequest, unreadFrom = null, onJumpToLatest } = props;
  const opened = useSession();
  const { session, canWrite } = opened;
  // A thread has a place of its own.
  const around = root ? null : opened.around;
  const { profile } = useWorkspace();
  const state = useStore(store);
  const outbox = useOutbox(session.id, root?.id);
  const gaps = useChannel(session)?.gaps;
  const rows = useRows({
    state,
    outbox,
    root,
    unreadFrom,
    gaps: root ? undefined : gaps,
    notes: around?.notes,
  });
  const [editingId, setEditingId] = useState<string | null>(null);
  const [seen, setSeen] = useState<Seen>();
  // Opening a thread reads it, however long it is. Below the session's last message there are only replies,
  // which are in their threads.
  const isAllSeen = root ? state.status === 'ready' : seen?.isNewest;
  useReadMark({
    seen: isAllSeen ? state.messages.at(-1) : store.find(seen?.messageId ?? ''),
    messages: state.messages,
    parentMessageId: root?.id,
    isHeld: props.isUnreadHeld,
  });
  useLatestWhenSending(outbox.items.length, state.hasNewer && !root, onJumpToLatest);
  const steering = useMessageActions();
  const stoppable = findStoppable(rows, state.retrying, steering);
  const onKeyDown = useStopOnEscape(stoppable, root?.id);
  return (
    <div className="contents" onKeyDown={onKeyDown}>
      {state.status === 'failed' ? (
        <div className={cx('p-4', !root && 'flex-1')}>
          <ErrorNote error={state.error} onRetry={() => void store.openLatest()} />
        </div>
      ) : state.status === 'loading' ? (
        <ListSkeleton />
      ) : rows.length === 0 && !state.hasOlder ? (
        <NoMessages />
      ) : (
        <AfterPaint before={<ListSkeleton />}>
          <MessageList
            key={state.generation}
            isInThread={root !== undefined}
            {...{ store, state, rows, outbox, target, focusRequest, editingId, onJumpToLatest }}
            onEdit={setEditingId}
            startAt={state.generation === 1 ? unreadFrom : null}
            onSeen={setSeen}
          />
        </AfterPaint>
      )}
      {canWrite && (
        <Foot of={around}>
          <Composer
            parentMessageId={root?.id}
            takesFocus={!around || around.takesFocus}
            stoppable={stoppable}
            onEditLast={() => setEditingId(findLastOwn(rows, profile.userId))}
          />
        </Foot>
      )}
    </div>
  );
}

/** Below the messages, or below whatever they are part of. */
function Foot({ of: around, children }: { of: Around | null; children: ReactNode }) {
  if (!around) return children;
  return around.foot && createPortal(children, around.foot);
}

const EXAMPLE = '@recall what did we decide about ';

function NoMessages() {
  const { session, canWrite } = useSession();
  const name = useSessionName()(session);
  if (isDirect(session)) {
    return (
      <div className="flex min-h-0 flex-1 flex-col justify-center overflow-y-auto p-4">
        <EmptyState icon={MessageCircle} title="No messages yet">
          This is between you and {name}. Nobody else can read it.
        </EmptyState>
      </div>
    );
  }
  function fillIn() {
    setDraft(session.id, undefined, EXAMPLE);
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
