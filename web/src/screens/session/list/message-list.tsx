import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../../../ui/controls/button.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { quietPart } from '../../../ui/layers/part-boundary.tsx';
import type { Outbox } from '../composer/outbox.ts';
import { MessageRow } from '../message/message-row.tsx';
import { OutgoingRow } from '../message/outgoing.tsx';
import { PartialReplyRow } from '../message/partial-reply.tsx';
import type { Popup } from '../message/toolbar.tsx';
import { useSession, type Around } from '../session-context.ts';
import { useMessageActions } from '../use-message-actions.ts';
import { Announcer } from './announcer.tsx';
import { DayDivider, DayMark, UnreadDivider } from './dividers.tsx';
import { JumpButton } from './jump-button.tsx';
import { handleListKey } from './keyboard.ts';
import { ListEnd } from './list-ends.tsx';
import type { MessageListProps } from './list-props.ts';
import type { Row } from './rows.ts';
import { useFocusedMessage } from './use-focused-message.ts';
import { useMessageScroll } from './use-message-scroll.ts';

const PauseDivider = quietPart(() => import('./pause-divider.tsx'), 'PauseDivider');

/** The messages. Only those near the viewport are on the page. Remounted for another window of messages. */
export function MessageList(props: MessageListProps) {
  const { store, state, rows, isInThread, editingId, onEdit } = props;
  const opened = useSession();
  const { canWrite } = opened;
  const { showBranch } = useMessageActions();
  // A thread has a place of its own.
  const around = isInThread ? null : opened.around;
  const own = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const scroller = around?.scroller ?? own;
  const [popup, setPopup] = useState<{ id: string; popup: Popup } | null>(null);
  const [openPopup] = useState(() => (id: string, next: Popup | null) => {
    setPopup((old) => (next ? { id, popup: next } : old?.id === id ? null : old));
  });
  const requests = useMemo(
    () => [props.focusRequest, props.target],
    [props.focusRequest, props.target],
  );
  const focused = useFocusedMessage(scroller, rows, requests);
  const scroll = useMessageScroll({
    ...props,
    scroller,
    isAround: around !== null,
    hasOlderNotes: around?.loadOlderNotes !== undefined,
    inner,
    keptIds: [focused.activeId, editingId, popup?.id ?? null],
  });
  useFollowScroller(around, scroll);
  const focusableId = focused.activeId ?? scroll.lastVisibleId;
  const isWhole = !state.hasOlder && !state.hasNewer;
  const edited = useRef(editingId);
  const { focus } = focused;
  useEffect(() => {
    if (editingId === null && edited.current !== null) focus(edited.current);
    edited.current = editingId;
  }, [editingId, focus]);
  const onKeyDown = (event: KeyboardEvent) =>
    handleListKey(event, {
      rows,
      canWrite,
      showBranch,
      focus: (id) => {
        scroll.reveal(id);
        focus(id);
      },
      setPopup: openPopup,
    });
  const hasArticles = scroll.items.some(({ index }) => (rows[index]?.kind ?? 'note') !== 'note');
  const list = (
    <div ref={inner} className="relative">
      {around ? (
        <OlderButton {...{ store, state, around }} />
      ) : (
        <div className="absolute inset-x-0 top-0 flex h-14 items-center justify-center px-4">
          <ListEnd
            hasMore={state.hasOlder}
            error={state.olderError}
            onRetry={() => void store.loadOlder()}
          >
            {!isInThread && <p className="text-sm text-muted">This is the start of the session.</p>}
          </ListEnd>
        </div>
      )}
      <div
        ref={scroll.containerRef}
        // A feed has to contain articles. A task's stream may have none, or none yet.
        role={hasArticles ? 'feed' : 'group'}
        aria-label={isInThread ? 'Thread messages' : 'Messages'}
        className="relative w-full print:h-auto!"
        onFocus={focused.onFocus}
        onKeyDown={onKeyDown}
      >
        {scroll.items.map(({ key, index }) => {
          const row = rows[index];
          return (
            row && (
              <div
                key={key}
                data-index={index}
                ref={scroll.measure}
                className="absolute inset-x-0 print:static!"
              >
                <RowView
                  row={row}
                  outbox={props.outbox}
                  isInThread={isInThread}
                  isFocusable={row.key === focusableId}
                  isHighlighted={row.key === scroll.highlightedId}
                  isEditing={row.key === editingId}
                  isRetrying={state.retrying.has(row.key)}
                  popup={popup?.id === row.key ? popup.popup : null}
                  position={index + 1}
                  size={isWhole ? rows.length : -1}
                  onPopup={openPopup}
                  onEdit={onEdit}
                />
              </div>
            )
          );
        })}
      </div>
      {state.hasNewer && (
        <div className="absolute inset-x-0 bottom-0 flex h-12 items-center justify-center">
          <ListEnd hasMore error={state.newerError} onRetry={() => void store.loadNewer()} />
        </div>
      )}
    </div>
  );
  const jump = (
    <JumpButton
      unseen={scroll.unseen}
      onClick={state.hasNewer ? props.onJumpToLatest : scroll.toEnd}
    />
  );
  const announcer = <Announcer rows={rows} isAtNewest={!state.hasNewer} />;
  if (around) {
    // Whoever reads what is above the messages isn't asked down, unless there is something new.
    const isNew = scroll.unseen > 0 || state.hasNewer;
    return (
      <>
        {list}
        {isNew && around.foot && createPortal(<AboveFoot>{jump}</AboveFoot>, around.foot)}
        {announcer}
      </>
    );
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={own}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none] print:overflow-visible"
        onScroll={scroll.onScroll}
        onWheel={scroll.onWheel}
        onTouchMove={scroll.onWheel}
      >
        {list}
      </div>
      {!isInThread && <DayMark row={scroll.firstVisible} />}
      {scroll.isAwayFromEnd && jump}
      {announcer}
    </div>
  );
}

/** What scrolls belongs to somebody else. */
function useFollowScroller(
  around: Around | null,
  { onScroll, onWheel }: Pick<ReturnType<typeof useMessageScroll>, 'onScroll' | 'onWheel'>,
): void {
  const scroller = around?.scroller;
  useEffect(() => {
    const element = scroller?.current;
    if (!element) return undefined;
    const stopping = new AbortController();
    const options = { passive: true, signal: stopping.signal };
    element.addEventListener('scroll', onScroll, options);
    element.addEventListener('wheel', onWheel, options);
    element.addEventListener('touchmove', onWheel, options);
    return () => stopping.abort();
  }, [scroller, onScroll, onWheel]);
}

function AboveFoot({ children }: { children: ReactNode }) {
  return <div className="absolute inset-x-0 bottom-full">{children}</div>;
}

type OlderButtonProps = Pick<MessageListProps, 'store' | 'state'> & { around: Around };

/** Asks first, because what is above the messages would move away. */
function OlderButton({ store, state, around: { loadOlderNotes } }: OlderButtonProps) {
  if (!state.hasOlder && !loadOlderNotes) return null;
  return (
    <div className="absolute inset-x-0 top-0 flex h-11 items-center px-4">
      <Button
        size="small"
        look="quiet"
        onClick={() => {
          void store.loadOlder();
          loadOlderNotes?.();
        }}
      >
        Show older activity
      </Button>
    </div>
  );
}

type RowViewProps = Omit<
  Parameters<typeof MessageRow>[0],
  'message' | 'mention' | 'askerId' | 'isCompact'
> & {
  row: Row;
  outbox: Outbox;
};

function RowView({ row, outbox, ...rest }: RowViewProps) {
  if (row.kind === 'note') return row.note.show;
  if (row.kind === 'answering') return <PartialReplyRow reply={row} />;
  if (row.kind === 'outgoing') return <OutgoingRow item={row.item} outbox={outbox} />;
  return (
    <div className={cx(row.isThreadRoot && 'mb-1 border-b border-line pb-3')}>
      {row.day && <DayDivider day={row.day} />}
      {row.pauses.map((edge) => (
        <PauseDivider key={edge.at} {...edge} />
      ))}
      {row.isUnreadStart && <UnreadDivider />}
      <MessageRow
        message={row.message}
        mention={row.mention}
        askerId={row.askerId}
        isCompact={row.isCompact}
        {...rest}
      />
    </div>
  );
}
