import { AtriumError, type Message, type Session } from '@atrium/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Archive, CircleAlert } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import { buttonClass } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { usePageTitle } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { MessageActionsProvider } from './actions.tsx';
import { useManages } from '../projects/manages.ts';
import { useRefusedFiles } from './composer/use-refused-files.ts';
import { useTypingAnywhere } from './composer/use-typing-anywhere.ts';
import { SessionHeader } from './header/session-header.tsx';
import { useArchive } from './header/use-archive.ts';
import { ListSkeleton } from './list/list-ends.tsx';
import type { MessageRequest } from './list/list-props.ts';
import { MessageDialog } from './message-dialogs.tsx';
import { MessagePane } from './message-pane.tsx';
import { useOpenedSession, useProjectOf } from './queries.ts';
import { useSessionMessages } from './store/use-messages.ts';
import { ThreadPanel } from './thread/thread-panel.tsx';
import { request, useJump } from './use-jump.ts';
import { useActions } from './use-message-actions.ts';

const route = getRouteApi('/workspace/p/$slug/s/$sessionId');

export function SessionScreen() {
  const { slug, sessionId } = route.useParams();
  return <SessionOf key={sessionId} slug={slug} sessionId={sessionId} />;
}

function SessionOf({ slug, sessionId }: { slug: string; sessionId: string }) {
  const { data: session, error, refetch } = useOpenedSession(slug, sessionId);
  useTypingAnywhere(sessionId, !session && !error);
  // Whoever was taken out while reading must not go on reading what is cached.
  const isLost = error instanceof AtriumError && (error.status === 403 || error.status === 404);
  if (session && !isLost) return <OpenSession slug={slug} session={session} />;
  if (error) return <SessionProblem slug={slug} error={error} onRetry={() => void refetch()} />;
  return (
    <div className="absolute inset-0 flex flex-col">
      <div className="flex flex-col gap-2 border-b border-line bg-surface px-4 py-2.5">
        <Skeleton className="h-3.5 w-24" />
        <Skeleton className="h-5 w-56" />
      </div>
      <ListSkeleton />
    </div>
  );
}

function OpenSession({ slug, session }: { slug: string; session: Session }) {
  useRefusedFiles();
  const { m, thread } = route.useSearch();
  const navigate = route.useNavigate();
  const project = useProjectOf(slug, session);
  const messages = useSessionMessages(slug, session.id);
  const canWrite = !session.archivedAt && !project?.archivedAt;
  const [focusRequest, setFocusRequest] = useState<MessageRequest | null>(null);
  const [threadFocus, setThreadFocus] = useState<MessageRequest | null>(null);

  const showThread = useCallback(
    (id: string) => void navigate({ search: (old) => ({ ...old, thread: id }), replace: true }),
    [navigate],
  );
  const openThread = useCallback(
    (message: Message) => void navigate({ search: { thread: message.id } }),
    [navigate],
  );
  const jump = useJump(messages, m, showThread);
  const { forget } = jump;
  const jumpToLatest = useCallback(() => {
    forget();
    void navigate({ search: ({ thread: open }) => (open ? { thread: open } : {}), replace: true });
    void messages.main.openLatest();
  }, [forget, messages, navigate]);
  const parts = { messages, slug, session, canWrite, openThread };
  const main = useActions(parts);
  const inThread = useActions(parts);

  function closeThread() {
    void navigate({ search: {} });
    if (thread) setFocusRequest(request(thread));
  }
  return (
    <div className="absolute inset-0 flex min-h-0 print:static print:block">
      <div
        data-pane
        className={cx('flex min-h-0 min-w-0 flex-1 flex-col', thread && 'max-lg:invisible')}
      >
        <SessionHeader slug={slug} session={session} canWrite={canWrite} />
        {session.archivedAt ? (
          <ArchivedBanner slug={slug} session={session} canRestore={!project?.archivedAt} />
        ) : (
          project?.archivedAt && (
            <Banner icon={ARCHIVED}>This session’s project is archived. {READ_ONLY}</Banner>
          )
        )}
        {jump.isMissing && (
          <Banner icon={<CircleAlert aria-hidden className="size-4 shrink-0" />}>
            The linked message isn’t in this session. Here are the latest messages.
          </Banner>
        )}
        <MessageActionsProvider value={main.actions}>
          <MessagePane
            {...{ slug, session, messages, canWrite, focusRequest }}
            target={jump.target}
            onJumpToLatest={jumpToLatest}
          />
        </MessageActionsProvider>
      </div>
      {thread && (
        <MessageActionsProvider value={inThread.actions}>
          <ThreadPanel
            {...{ slug, session, messages, canWrite }}
            rootId={thread}
            target={jump.replyTarget}
            focusRequest={threadFocus}
            onClose={closeThread}
          />
        </MessageActionsProvider>
      )}
      {[
        { list: main, focus: setFocusRequest },
        { list: inThread, focus: setThreadFocus },
      ].map(
        ({ list: { dialog, setDialog }, focus }, at) =>
          dialog && (
            <MessageDialog
              key={at}
              {...{ dialog, slug, messages }}
              session={session}
              onClose={() => {
                setDialog(null);
                focus(request(dialog.message.id));
              }}
            />
          ),
      )}
    </div>
  );
}

const ARCHIVED = <Archive aria-hidden className="size-4 shrink-0" />;
const READ_ONLY = 'You can read everything in it, but nobody can write, edit or react.';

interface ArchivedBannerProps {
  slug: string;
  session: Session;
  canRestore: boolean;
}

function ArchivedBanner({ slug, session, canRestore }: ArchivedBannerProps) {
  const { restore } = useArchive(slug, session);
  const isManager = useManages(session);
  return (
    <Banner icon={ARCHIVED}>
      This session is archived. {READ_ONLY}{' '}
      {isManager && canRestore && (
        <button type="button" className="min-h-6 font-medium underline" onClick={restore}>
          Restore session
        </button>
      )}
    </Banner>
  );
}

function Banner({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div role="status" className="flex items-start gap-2 bg-warn-soft px-4 py-2 text-sm text-warn">
      <span className="pt-0.5">{icon}</span>
      <p>{children}</p>
    </div>
  );
}

interface ProblemProps {
  slug: string;
  error: unknown;
  onRetry: () => void;
}

function SessionProblem({ slug, error, onRetry }: ProblemProps) {
  const status = error instanceof AtriumError ? error.status : undefined;
  const title =
    status === 404
      ? 'Session not found'
      : status === 403
        ? 'You don’t have access to this session'
        : 'Couldn’t load the session';
  usePageTitle(title);
  return (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 p-6">
      <h1 className="text-xl font-semibold">{title}</h1>
      {status === 404 && (
        <p className="text-muted">
          The address may be mistyped, the session may be private, or it may belong to another
          organisation. If so, switch to it and open the link again.
        </p>
      )}
      {status === 403 && (
        <p className="text-muted">
          Only members of its project can read it. Ask an owner, an admin or the project’s creator
          to add you.
        </p>
      )}
      {status !== 404 && status !== 403 && <ErrorNote error={error} onRetry={onRetry} />}
      <Link to="/p/$slug" params={{ slug }} className={buttonClass('plain')}>
        Go to project
      </Link>
      <Link to="/" className={buttonClass('quiet')}>
        Go to all projects
      </Link>
    </div>
  );
}
