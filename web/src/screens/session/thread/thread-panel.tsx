import type { Message } from '@atrium/sdk';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useStore } from '../../../data/store.ts';
import { useFetched } from '../../../data/use-fetched.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { ListSkeleton } from '../list/list-ends.tsx';
import type { MessageRequest } from '../list/list-props.ts';
import { MessagePane } from '../message-pane.tsx';
import { useSession } from '../session-context.ts';
import { useThread } from '../store/use-messages.ts';

interface ThreadPanelProps extends Omit<RepliesProps, 'root'> {
  rootId: string;
  onClose: () => void;
}

/** The replies to one message, next to the session, or in its place on a phone. */
export function ThreadPanel({ rootId, onClose, ...replies }: ThreadPanelProps) {
  const { around } = useSession();
  const root = useRoot(rootId);
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
        'lg:w-[26rem] lg:border-l lg:border-line xl:w-[30rem]',
        // Over the other column of whatever the session is part of.
        around ? 'visible lg:left-auto' : 'lg:static lg:shrink-0',
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
        <Replies key={rootId} {...replies} root={root.message} />
      ) : (
        <ListSkeleton />
      )}
    </section>
  );
}

interface RepliesProps {
  root: Message;
  target: MessageRequest | null;
  focusRequest: MessageRequest | null;
  isUnreadHeld: boolean;
}

function Replies(props: RepliesProps) {
  const { root, target } = props;
  const { messages } = useSession();
  const store = useThread(messages, root.id);
  const state = useStore(store);
  useEffect(() => {
    // A thread can't list around a message, so this pages back to a linked reply.
    if (target && state.status === 'ready' && !store.find(target.id)) void store.loadOlder();
  }, [target, state, store]);
  return <MessagePane {...props} store={store} onJumpToLatest={() => void store.openLatest()} />;
}

/** The thread's parent message, from the session's list if it is there. */
function useRoot(rootId: string) {
  const { slug, session, messages } = useSession();
  useStore(messages.main);
  const known = messages.main.find(rootId);
  const { data, error } = useFetched(
    (orgId) => [...keys.messages(orgId, session.id), 'root', rootId],
    ({ client }, options) => client.messages.get(slug, rootId, options),
    { enabled: known === undefined },
  );
  return known ? { message: known, error: null } : { message: data, error };
}
