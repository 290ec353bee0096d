import type { Message, Session } from '@atrium/sdk';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useStore } from '../../../data/store.ts';
import { useFetched } from '../../../data/use-fetched.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { IconButton } from '../../../ui/controls/button.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { Composer } from '../composer/composer.tsx';
import { useOutbox } from '../composer/outbox.ts';
import { ListSkeleton } from '../list/list-ends.tsx';
import type { MessageRequest } from '../list/list-props.ts';
import { MessageList } from '../list/message-list.tsx';
import { useRows } from '../list/use-rows.ts';
import { findLastOwn } from '../last-own.ts';
import type { SessionMessages } from '../store/session-messages.ts';
import { useReadMark } from '../read-mark.ts';
import { useThread } from '../store/use-messages.ts';
import { useStopOnEscape } from '../use-stop-on-escape.ts';

interface ThreadPanelProps {
  slug: string;
  session: Session;
  messages: SessionMessages;
  rootId: string;
  canWrite: boolean;
  target: MessageRequest | null;
  focusRequest: MessageRequest | null;
  isUnreadHeld: boolean;
  /** The session is narrow already, so the thread takes its place. */
  isBeside: boolean;
  onClose: () => void;
}

/** The replies to one message, next to the session, or in its place on a phone. */
export function ThreadPanel(props: ThreadPanelProps) {
  const { slug, session, messages, rootId, onClose } = props;
  const root = useRoot(slug, session, messages, rootId);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // Its composer may have taken focus already.
    if (!panel.current?.contains(document.activeElement)) panel.current?.focus();
  }, [rootId]);
  return (
    <section
      ref={panel}
      data-pane
      tabIndex={-1}
      aria-label="Thread"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
      className={cx(
        'absolute inset-0 z-20 flex min-h-0 flex-col bg-ground outline-none',
        !props.isBeside &&
          'lg:static lg:w-[26rem] lg:shrink-0 lg:border-l lg:border-line xl:w-[30rem]',
      )}
    >
      <header className="flex min-h-[57px] items-center justify-between gap-2 border-b border-line bg-surface px-4 py-2">
        <h2 className="font-semibold">Thread</h2>
        <IconButton label="Close thread" icon={X} iconClass="size-5" onClick={onClose} />
      </header>
      {root.error ? (
        <div className="p-4">
          <ErrorNote error={root.error} />
        </div>
      ) : root.message ? (
        <Replies key={rootId} {...props} root={root.message} />
      ) : (
        <ListSkeleton />
      )}
    </section>
  );
}

function Replies(props: ThreadPanelProps & { root: Message }) {
  const { slug, session, messages, root, canWrite, target } = props;
  const { profile } = useWorkspace();
  const store = useThread(messages, root.id);
  const state = useStore(store);
  const outbox = useOutbox(session.id, root.id);
  const rows = useRows({ state, outbox, root });
  const [editingId, setEditingId] = useState<string | null>(null);
  useEffect(() => {
    // A thread can't list around a message, so this pages back to a linked reply.
    if (target && state.status === 'ready' && !store.find(target.id)) void store.loadOlder();
  }, [target, state, store]);
  // Opening a thread reads it, however long it is.
  useReadMark({
    slug,
    session,
    seen: state.status === 'ready' ? state.messages.at(-1) : undefined,
    messages: state.messages,
    parentMessageId: root.id,
    isHeld: props.isUnreadHeld,
  });
  const onKeyDown = useStopOnEscape(rows, state.retrying, session.id, root.id);
  return (
    <div className="contents" onKeyDown={onKeyDown}>
      {state.status === 'failed' ? (
        <div className="p-4">
          <ErrorNote error={state.error} onRetry={() => void store.openLatest()} />
        </div>
      ) : state.status === 'loading' ? (
        <ListSkeleton />
      ) : (
        <MessageList
          key={state.generation}
          label="Thread messages"
          isInThread
          start={null}
          {...{ store, state, rows, outbox, target, editingId }}
          focusRequest={props.focusRequest}
          onEdit={setEditingId}
          onJumpToLatest={() => void store.openLatest()}
        />
      )}
      {canWrite && (
        <Composer
          slug={slug}
          session={session}
          parentMessageId={root.id}
          onSent={(message) => messages.addPosted(message)}
          onEditLast={() => setEditingId(findLastOwn(rows, profile.userId))}
        />
      )}
    </div>
  );
}

/** The thread's parent message, from the session's list if it is there. */
function useRoot(slug: string, session: Session, messages: SessionMessages, rootId: string) {
  useStore(messages.main);
  const known = messages.main.find(rootId);
  const { data, error } = useFetched(
    (orgId) => [...keys.messages(orgId, session.id), 'root', rootId],
    ({ client }, options) => client.messages.get(slug, rootId, options),
    { enabled: known === undefined },
  );
  return known ? { message: known, error: null } : { message: data, error };
}
