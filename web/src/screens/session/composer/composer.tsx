import type { Message, Session } from '@atrium/sdk';
import { SendHorizontal } from 'lucide-react';
import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { quietPart } from '../../../ui/layers/part-boundary.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { useAnswerers } from '../answerers.ts';
import { useProjectOf } from '../queries.ts';
import { bodyOf, countNearLimit, LONGEST_BODY } from './body.ts';
import { useDelivery, useOwner } from './delivery.ts';
import { useDraft } from '../../../data/device/drafts.ts';
import { focusUnlessTyping, registerComposer } from './composers.ts';
import { watchDelivered } from './entries.ts';
import { findOpenFence } from './fences.ts';
import { FormatBar } from './format-bar.tsx';
import { changeText } from './formatting.ts';
import { Hint } from './hint.tsx';
import { putInOutbox } from './outbox.ts';
import { useAskHint } from './use-ask-hint.ts';
import { useAutoHeight } from './use-auto-height.ts';
import { useMentionMenu } from './use-mention-menu.ts';
import { useTellTyping, useTypists } from './use-typing.ts';
import { formatSelection, handleWritingKey, isTouch } from './writing-keys.ts';

const MentionList = quietPart(() => import('./mention-list.tsx'), 'MentionList');

export interface ComposerProps {
  slug: string;
  session: Session;
  /** Writes in this message's thread. */
  parentMessageId?: string | undefined;
  /** When it appears. Default: true. */
  takesFocus?: boolean;
  /** The server accepted a message from here and returned this. Its outbox item is gone. */
  onSent?: ((message: Message) => void) | undefined;
  /** ↑ in an empty composer edits the person's last message. */
  onEditLast?: (() => void) | undefined;
}

/** Where messages are written. They go through the outbox, so that none is lost or sent twice. */
export function Composer(props: ComposerProps) {
  const { slug, session, parentMessageId, takesFocus = true, onSent, onEditLast } = props;
  useDelivery();
  const id = useId();
  const owner = useOwner();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(session.id, parentMessageId);
  const [caret, setCaret] = useState<number | null>(null);
  const menu = useMentionMenu(session, text, caret, (from, to, inserted) => {
    const end = from + inserted.length;
    if (area.current) changeText(area.current, { from, to, text: inserted, select: [end, end] });
  });
  const closedReason = useClosedReason(slug, session);
  const placeholder = usePlaceholder(slug, session, parentMessageId !== undefined);
  const tellTyping = useTellTyping(slug, session.id);
  const typists = useTypists(session.id);
  const count = countNearLimit(text);
  const isTooLong = count !== undefined && count > LONGEST_BODY;
  const canSend = closedReason === undefined && !isTooLong && bodyOf(text) !== '';
  useAutoHeight(area, text);
  useEffect(
    () => (area.current ? registerComposer(parentMessageId, area.current) : undefined),
    [parentMessageId],
  );
  useEffect(() => {
    if (takesFocus && area.current && !isTouch()) focusUnlessTyping(area.current);
  }, [takesFocus]);
  const [hintAfterSending, noteSent] = useAskHint(slug, session);
  const askHint = text === '' ? hintAfterSending : undefined;
  const onDelivered = useCallback(
    (message: Message) => {
      noteSent(message);
      onSent?.(message);
    },
    [noteSent, onSent],
  );
  useDelivered(session.id, parentMessageId, onDelivered);

  function send() {
    if (!canSend) return;
    putInOutbox(owner, { slug, sessionId: session.id, parentMessageId, body: bodyOf(text) });
    setText('');
    area.current?.focus();
  }

  function beginMention() {
    if (!area.current) return;
    const { selectionStart: from, selectionEnd: to } = area.current;
    const inserted = /[\p{L}\p{N}_]$/u.test(text.slice(0, from)) ? ' @' : '@';
    const end = from + inserted.length;
    changeText(area.current, { from, to, text: inserted, select: [end, end] });
  }

  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (menu.handleKey(event) || handleWritingKey(event, send)) return;
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (event.key === 'ArrowUp' && isPlain && text === '' && onEditLast) {
      event.preventDefault();
      onEditLast();
    }
  }

  const isOpen = menu.suggestions.length > 0;
  return (
    <form
      aria-label={parentMessageId ? 'Reply in the thread' : 'Write a message'}
      className="relative flex min-w-0 flex-col gap-1 px-3 pt-1 pb-2 sm:px-4 print:hidden"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {isOpen && (
        <MentionList
          id={`${id}-mentions`}
          suggestions={menu.suggestions}
          active={menu.active}
          onActive={menu.setActive}
          onChoose={menu.choose}
        />
      )}
      <p role="status" className="sr-only">
        {isOpen
          ? `${menu.suggestions.length} suggestions. Use the arrow keys to choose and Enter to insert.`
          : (askHint ?? '')}
      </p>
      <div
        className={cx(
          'flex min-w-0 flex-col rounded-lg border border-edge bg-surface focus-within:border-accent focus-within:ring-1 focus-within:ring-accent',
          closedReason !== undefined && 'bg-hover',
        )}
      >
        <label htmlFor={`${id}-text`} className="sr-only">
          {parentMessageId ? 'Reply' : 'Message'}
        </label>
        <textarea
          ref={area}
          id={`${id}-text`}
          dir="auto"
          rows={1}
          value={text}
          disabled={closedReason !== undefined}
          placeholder={closedReason ?? placeholder}
          aria-describedby={`${id}-hint`}
          aria-invalid={isTooLong || undefined}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={isOpen ? `${id}-mentions` : undefined}
          aria-activedescendant={
            isOpen && menu.active >= 0 ? `${id}-mentions-${menu.active}` : undefined
          }
          className="block max-h-[40dvh] min-h-11 w-full resize-none overflow-y-auto rounded-lg bg-transparent px-3 py-2.5 text-[16px] leading-snug text-ink outline-none wrap-anywhere placeholder:text-muted sm:text-[15px]"
          onChange={({ target }) => {
            setText(target.value);
            setCaret(target.selectionStart);
            if (target.value !== '' && !parentMessageId) tellTyping();
          }}
          onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
            setCaret(selectionStart === selectionEnd ? selectionStart : null)
          }
          onBlur={() => setCaret(null)}
          onKeyDown={handleKey}
        />
        <div className="flex items-center justify-between gap-2 px-1 pb-1">
          <FormatBar
            disabled={closedReason !== undefined}
            onFormat={(format) => area.current && formatSelection(area.current, format)}
            onMention={beginMention}
          />
          <Button type="submit" look="primary" size="small" disabled={!canSend}>
            <SendHorizontal aria-hidden className="size-4 rtl:-scale-x-100" />
            Send
          </Button>
        </div>
      </div>
      <Hint
        id={`${id}-hint`}
        closedReason={closedReason}
        note={parentMessageId ? askHint : (typists ?? askHint)}
        isInCode={caret !== null && findOpenFence(text.slice(0, caret)) !== undefined}
        count={count}
      />
    </form>
  );
}

function useClosedReason(slug: string, session: Session): string | undefined {
  const project = useProjectOf(slug, session);
  if (project?.archivedAt) return 'This project is archived. You can read it but not write in it.';
  if (session.status !== 'ARCHIVED') return undefined;
  return 'This session is archived. You can read it but not write in it.';
}

function usePlaceholder(slug: string, session: Session, isReply: boolean): string {
  const { plainAnswerer, agentName } = useAnswerers(slug, session);
  if (plainAnswerer !== undefined) return `Ask ${agentName(plainAnswerer)}…`;
  return isReply ? 'Reply…' : 'Write a message, or @ to mention somebody…';
}

function useDelivered(
  sessionId: string,
  parentMessageId: string | undefined,
  onDelivered: (message: Message) => void,
): void {
  useEffect(
    () =>
      watchDelivered((entry) => {
        if (entry.sessionId !== sessionId || !entry.message) return;
        if (entry.parentMessageId === (parentMessageId ?? null)) onDelivered(entry.message);
      }),
    [sessionId, parentMessageId, onDelivered],
  );
}
