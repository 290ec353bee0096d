import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { cx } from '../../../ui/text/cx.ts';
import { quietPart } from '../../../ui/layers/part-boundary.tsx';
import { useMessageActions } from '../actions.tsx';
import type { Outbox } from '../composer/outbox.ts';
import { MessageRow } from '../message/message-row.tsx';
import { OutgoingRow } from '../message/outgoing.tsx';
import { PartialReplyRow } from '../message/partial-reply.tsx';
import type { Popup } from '../message/toolbar.tsx';
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
  const { label, store, state, rows, isInThread, editingId, onEdit } = props;
  const actions = useMessageActions();
  const scroller = useRef<HTMLDivElement>(null);
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
    keptIds: [focused.activeId, editingId, popup?.id ?? null],
  });
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
      actions,
      focus: (id) => {
        scroll.reveal(id);
        focus(id);
      },
      setPopup: openPopup,
    });
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div
        ref={scroller}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto overscroll-contain [overflow-anchor:none] print:overflow-visible"
        onScroll={scroll.onScroll}
        onWheel={scroll.onWheel}
        onTouchMove={scroll.onWheel}
      >
        <div className="relative">
          <div className="absolute inset-x-0 top-0 flex h-14 items-center justify-center px-4">
            <ListEnd
              hasMore={state.hasOlder}
              error={state.olderError}
              onRetry={() => void store.loadOlder()}
            >
              {props.start}
            </ListEnd>
          </div>
          <div
            ref={scroll.containerRef}
            role="feed"
            aria-label={label}
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
      </div>
      {!isInThread && <DayMark row={scroll.firstVisible} />}
      {scroll.isAwayFromEnd && (
        <JumpButton
          unseen={scroll.unseen}
          onClick={state.hasNewer ? props.onJumpToLatest : scroll.toEnd}
        />
      )}
      <Announcer rows={rows} isAtNewest={!state.hasNewer} />
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
