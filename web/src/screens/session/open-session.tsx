import type { Message } from '@atrium/sdk';
import { Archive, CircleAlert, type LucideIcon } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { cx } from '../../ui/text/cx.ts';
import { closablePart } from '../../ui/layers/part-boundary.tsx';
import { useManages } from '../../data/manages.ts';
import { useRefusedFiles } from './composer/use-given-files.ts';
import { SessionHeader } from './header/session-header.tsx';
import { useArchive } from './header/use-archive.ts';
import type { MessageRequest } from './list/list-props.ts';
import { MessagePane } from './message-pane.tsx';
import { useProjectOf } from './queries.ts';
import type { SessionSearch } from './search-params.ts';
import { SessionContext, useSession, type Around, type SessionOnPage } from './session-context.ts';
import { useSessionMessages } from './store/use-messages.ts';
import { request, useJump } from './use-jump.ts';
import { MessageActionsContext, useActions } from './use-message-actions.ts';

const MessageDialog = closablePart(() => import('./message-dialogs.tsx'), 'MessageDialog');
const ThreadPanel = closablePart(() => import('./thread/thread-panel.tsx'), 'ThreadPanel');

interface SearchProps {
  search: SessionSearch;
  onSearch: (search: SessionSearch, replace?: boolean) => void;
}

interface OpenSessionProps extends SearchProps, Pick<SessionOnPage, 'slug' | 'session'> {
  around?: Around;
}

export function OpenSession({ slug, session, around, ...rest }: OpenSessionProps) {
  const project = useProjectOf(slug, session);
  const messages = useSessionMessages(slug, session.id);
  const opened = useMemo(() => {
    const canWrite = !session.archivedAt && !project?.archivedAt;
    return { slug, session, project, messages, canWrite, around: around ?? null };
  }, [slug, session, project, messages, around]);
  return (
    <SessionContext value={opened}>
      <Panes {...rest} />
    </SessionContext>
  );
}

/** A session's messages, thread and dialogs. */
function Panes({ search, onSearch }: SearchProps) {
  const { session, messages, around, canWrite } = useSession();
  useRefusedFiles(!canWrite);
  const { m, thread } = search;
  const go = useRef(onSearch);
  useEffect(() => {
    go.current = onSearch;
  });
  const [focusRequest, setFocusRequest] = useState<MessageRequest | null>(null);
  const [threadFocus, setThreadFocus] = useState<MessageRequest | null>(null);

  const showThread = useCallback(
    (id: string) => go.current({ ...(m && { m }), thread: id }, true),
    [m],
  );
  const openThread = useCallback((message: Message) => go.current({ thread: message.id }), []);
  const [unreadFrom, setUnreadFrom] = useState(session.firstUnreadMessageId);
  const [isUnreadHeld, setUnreadHeld] = useState(false);
  const onUnread = useCallback(({ id, parentMessageId }: Message) => {
    setUnreadHeld(true);
    if (parentMessageId === null) setUnreadFrom(id);
  }, []);
  const jump = useJump(messages, m, unreadFrom, showThread);
  const { forget } = jump;
  const jumpToLatest = useCallback(() => {
    forget();
    go.current(thread ? { thread } : {}, true);
    void messages.main.openLatest();
  }, [forget, messages, thread]);
  const main = useActions({ openThread, onUnread, focus: useFocus(setFocusRequest) });
  const inThread = useActions({ openThread, onUnread, focus: useFocus(setThreadFocus) });

  function closeThread() {
    onSearch({});
    if (thread) setFocusRequest(request(thread));
  }
  return (
    <div className={cx(!around && 'absolute inset-0 flex min-h-0 print:static print:block')}>
      <div
        data-pane
        className={cx('flex min-h-0 min-w-0 flex-1 flex-col', thread && 'max-lg:invisible')}
      >
        {!around && <SessionHeader />}
        <ArchivedBanner />
        {jump.isMissing && (
          <Banner icon={CircleAlert}>
            The linked message isn’t in this session. Here are the latest messages.
          </Banner>
        )}
        <MessageActionsContext value={main.actions}>
          <MessagePane
            {...{ focusRequest, unreadFrom, isUnreadHeld }}
            store={messages.main}
            target={jump.target}
            onJumpToLatest={jumpToLatest}
          />
        </MessageActionsContext>
      </div>
      {thread && (
        <MessageActionsContext value={inThread.actions}>
          <ThreadPanel
            rootId={thread}
            target={jump.replyTarget}
            focusRequest={threadFocus}
            isUnreadHeld={isUnreadHeld}
            onClose={closeThread}
          />
        </MessageActionsContext>
      )}
      {[main, inThread].map(
        ({ dialog, close }, at) =>
          dialog && <MessageDialog key={at} dialog={dialog} onClose={close} />,
      )}
    </div>
  );
}

function useFocus(setRequest: (request: MessageRequest) => void): (message: Message) => void {
  return useCallback(({ id }) => setRequest(request(id)), [setRequest]);
}

const READ_ONLY = 'You can read everything in it, but nobody can write, edit or react.';

/** Says that nobody can write, and why. */
function ArchivedBanner() {
  const { session, project } = useSession();
  const { restore } = useArchive();
  const isManager = useManages(session);
  if (session.archivedAt) {
    return (
      <Banner icon={Archive}>
        This session is archived. {READ_ONLY}{' '}
        {isManager && !project?.archivedAt && (
          <button type="button" className="min-h-6 font-medium underline" onClick={restore}>
            Restore session
          </button>
        )}
      </Banner>
    );
  }
  if (!project?.archivedAt) return null;
  return <Banner icon={Archive}>This session’s project is archived. {READ_ONLY}</Banner>;
}

function Banner({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <div role="status" className="flex items-start gap-2 bg-warn-soft px-4 py-2 text-sm text-warn">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p>{children}</p>
    </div>
  );
}
