import type { Message, SessionDetails } from '@atrium/sdk';
import { Archive, CircleAlert, type LucideIcon } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { lazyPart } from '../../data/parts.ts';
import { useStore } from '../../data/store.ts';
import { cx } from '../../ui/text/cx.ts';
import { PartBoundary, quietPart } from '../../ui/layers/part-boundary.tsx';
import { useManages } from '../../data/manages.ts';
import { MessageActionsProvider } from './actions.tsx';
import { useRefusedFiles } from './composer/use-refused-files.ts';
import { cardsNeeded } from './content/person-mention.tsx';
import { SessionHeader } from './header/session-header.tsx';
import { useArchive } from './header/use-archive.ts';
import type { MessageRequest } from './list/list-props.ts';
import { MessagePane } from './message-pane.tsx';
import { useProjectOf } from './queries.ts';
import type { SessionSearch } from './search-params.ts';
import { useSessionMessages } from './store/use-messages.ts';
import { request, useJump } from './use-jump.ts';
import { useActions } from './use-message-actions.ts';

const MessageDialog = lazyPart(() => import('./message-dialogs.tsx'), 'MessageDialog');
const PersonCardLayer = quietPart(() => import('./content/person-card.tsx'), 'PersonCardLayer');
const ThreadPanel = lazyPart(() => import('./thread/thread-panel.tsx'), 'ThreadPanel');

interface OpenSessionProps {
  slug: string;
  session: SessionDetails;
  search: SessionSearch;
  onSearch: (search: SessionSearch, replace?: boolean) => void;
  /** Next to something else, such as a task, which has the heading and gets focus first. */
  isBeside?: boolean;
}

/** A session's messages, thread and dialogs. */
export function OpenSession({
  slug,
  session,
  search,
  onSearch,
  isBeside = false,
}: OpenSessionProps) {
  useRefusedFiles();
  const areCardsNeeded = useStore(cardsNeeded);
  const { m, thread } = search;
  const go = useRef(onSearch);
  useEffect(() => {
    go.current = onSearch;
  });
  const project = useProjectOf(slug, session);
  const messages = useSessionMessages(slug, session.id);
  const canWrite = !session.archivedAt && !project?.archivedAt;
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
  const parts = { messages, slug, session, canWrite, openThread, onUnread };
  const main = useActions({ ...parts, focus: useFocus(setFocusRequest) });
  const inThread = useActions({ ...parts, focus: useFocus(setThreadFocus) });

  function closeThread() {
    onSearch({});
    if (thread) setFocusRequest(request(thread));
  }
  return (
    <div className="absolute inset-0 flex min-h-0 print:static print:block">
      <div
        data-pane
        className={cx(
          'flex min-h-0 min-w-0 flex-1 flex-col',
          thread && (isBeside ? 'invisible' : 'max-lg:invisible'),
        )}
      >
        {!isBeside && <SessionHeader slug={slug} session={session} canWrite={canWrite} />}
        {session.archivedAt ? (
          <ArchivedBanner slug={slug} session={session} canRestore={!project?.archivedAt} />
        ) : (
          project?.archivedAt && (
            <Banner icon={Archive}>This session’s project is archived. {READ_ONLY}</Banner>
          )
        )}
        {jump.isMissing && (
          <Banner icon={CircleAlert}>
            The linked message isn’t in this session. Here are the latest messages.
          </Banner>
        )}
        <MessageActionsProvider value={main.actions}>
          <MessagePane
            {...{
              slug,
              session,
              messages,
              canWrite,
              focusRequest,
              unreadFrom,
              isUnreadHeld,
              isBeside,
            }}
            target={jump.target}
            onJumpToLatest={jumpToLatest}
          />
        </MessageActionsProvider>
      </div>
      {thread && (
        <MessageActionsProvider value={inThread.actions}>
          <PartBoundary onClose={closeThread}>
            <ThreadPanel
              {...{ slug, session, messages, canWrite, isUnreadHeld, isBeside }}
              rootId={thread}
              target={jump.replyTarget}
              focusRequest={threadFocus}
              onClose={closeThread}
            />
          </PartBoundary>
        </MessageActionsProvider>
      )}
      {areCardsNeeded && <PersonCardLayer />}
      {[main, inThread].map(
        ({ dialog, close }, at) =>
          dialog && (
            <PartBoundary key={at} onClose={close}>
              <MessageDialog {...{ dialog, slug, session, messages }} onClose={close} />
            </PartBoundary>
          ),
      )}
    </div>
  );
}

function useFocus(setRequest: (request: MessageRequest) => void): (message: Message) => void {
  return useCallback(({ id }) => setRequest(request(id)), [setRequest]);
}

const READ_ONLY = 'You can read everything in it, but nobody can write, edit or react.';

interface ArchivedBannerProps {
  slug: string;
  session: SessionDetails;
  canRestore: boolean;
}

function ArchivedBanner({ slug, session, canRestore }: ArchivedBannerProps) {
  const { restore } = useArchive(slug, session);
  const isManager = useManages(session);
  return (
    <Banner icon={Archive}>
      This session is archived. {READ_ONLY}{' '}
      {isManager && canRestore && (
        <button type="button" className="min-h-6 font-medium underline" onClick={restore}>
          Restore session
        </button>
      )}
    </Banner>
  );
}

function Banner({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <div role="status" className="flex items-start gap-2 bg-warn-soft px-4 py-2 text-sm text-warn">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p>{children}</p>
    </div>
  );
}
