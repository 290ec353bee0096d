import { Clock, SendHorizontal } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { closablePart, quietPart } from '../../../ui/layers/part-boundary.tsx';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { makeRoom } from '../../../ui/layers/toast.tsx';
import { isTouch } from '../../../ui/keys/is-touch.ts';
import { useAnswerers } from '../answerers.ts';
import { useSession } from '../session-context.ts';
import type { Stoppable } from '../list/rows.ts';
import { bodyOf, countNearLimit, LONGEST_BODY } from './body.ts';
import { isDirect, useSessionName } from '../../../data/direct.ts';
import { draftPlace, useDraft } from '../../../data/device/drafts.ts';
import { isStuck, places } from '../../../data/uploads/upload.ts';
import { dropUploadsAt, useUploadsAt } from '../../../data/uploads/uploads.ts';
import { useOwner } from '../../../data/workspace.tsx';
import { useAdding } from '../../../shared/files/use-adding.ts';
import { focusUnlessTyping, registerComposer } from './composers.ts';
import { watchDelivered } from './entries.ts';
import { DropHint } from './drop-hint.tsx';
import { findOpenFence } from './fences.ts';
import { FormatBar } from './format-bar.tsx';
import { changeText } from './formatting.ts';
import { Hint } from './hint.tsx';
import { StopAnswers } from './stop-answers.tsx';
import { putInOutbox } from './outbox.ts';
import { useAskHint } from './use-ask-hint.ts';
import { useCommandMenu } from './commands/use-command-menu.ts';
import { needsLook } from './commands/typed-command.ts';
import { OpenMenu } from './open-menu.tsx';
import { useAutoHeight } from './use-auto-height.ts';
import { useGivenFiles } from './use-given-files.ts';
import { useEmojiMenu } from './use-emoji-menu.ts';
import { useMentionable, useMentionMenu } from './use-mention-menu.ts';
import { useTellTyping, useTypists } from './use-typing.ts';
import { formatSelection, handleWritingKey } from './writing-keys.ts';

const MentionNote = quietPart(() => import('./mention-note.tsx'), 'MentionNote');
const UploadTray = quietPart(() => import('../../../shared/files/upload-tray.tsx'), 'UploadTray');
const BeforeSending = closablePart(() => import('./before-sending.tsx'), 'BeforeSending');

const SendLater = closablePart(() => import('./send-later.tsx'), 'SendLater');

interface ComposerProps {
  /** Writes in this message's thread. */
  parentMessageId: string | undefined;
  /** When it appears. */
  takesFocus: boolean;
  /** The answers that are being written and that the person may stop. */
  stoppable: readonly Stoppable[];
  /** ↑ in an empty composer edits the person's last message. */
  onEditLast: () => void;
}

/** Where messages are written. They go through the outbox, so that none is lost or sent twice. */
export function Composer(props: ComposerProps) {
  return <Writing {...props} known={useKnown(props.parentMessageId)} />;
}

/** What doesn't depend on the text: it would be looked up again for each letter. */
function useKnown(parentMessageId: string | undefined) {
  const { slug, session } = useSession();
  return {
    mentionable: useMentionable(),
    placeholder: usePlaceholder(parentMessageId !== undefined),
    tellTyping: useTellTyping(slug, session.id),
    typists: useTypists(session.id),
    afterSending: useAskHint(),
  };
}

interface WritingProps extends ComposerProps {
  known: ReturnType<typeof useKnown>;
}

function Writing({ parentMessageId, takesFocus, stoppable, onEditLast, known }: WritingProps) {
  const { mentionable, placeholder, tellTyping, typists } = known;
  const { slug, session, messages } = useSession();
  const id = useId();
  const owner = useOwner();
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(session.id, parentMessageId);
  const [caret, setCaret] = useState<number | null>(null);
  const insert = (from: number, to: number, inserted: string) => {
    const end = from + inserted.length;
    if (area.current) changeText(area.current, { from, to, text: inserted, select: [end, end] });
  };
  const mentions = useMentionMenu(text, caret, insert, mentionable);
  const emoji = useEmojiMenu(text, caret, insert);
  const commands = useCommandMenu(text, caret, insert);
  /** Nobody types two of these names at once. */
  const menus = [commands, emoji, mentions] as const;
  const menu = menus.find(({ suggestions }) => suggestions.length > 0);
  const menuId = `${id}-menu`;
  const [isTiming, setTiming] = useState(false);
  /** What has to be looked at before it is posted. */
  const [looking, setLooking] = useState<{ body: string; isLater: boolean }>();
  const count = countNearLimit(text);
  const isTooLong = count !== undefined && count > LONGEST_BODY;
  const place = places.draft(draftPlace(session.id, parentMessageId));
  const uploads = useUploadsAt(place);
  const addFiles = useAdding({ place, projectId: session.projectId });
  const isOver = useGivenFiles(area, (files) => {
    addFiles(files);
    area.current?.focus();
  });
  /** A message never goes without one of its files, so the person decides about it first. */
  const isHeldUp = uploads.some(isStuck);
  const isEmpty = bodyOf(text) === '' && uploads.length === 0;
  const canSend = !isTooLong && !isHeldUp && !isEmpty;
  const canSendLater = canSend && uploads.every(({ state }) => state === 'stored');
  useAutoHeight(area, text);
  useEffect(
    () => (area.current ? registerComposer(parentMessageId, area.current) : undefined),
    [parentMessageId],
  );
  // Notes that are shown move away from it.
  useEffect(() => makeRoom(), []);
  useEffect(() => {
    if (takesFocus && area.current && !isTouch()) focusUnlessTyping(area.current);
  }, [takesFocus]);
  const [hintAfterSending, noteSent] = known.afterSending;
  const askHint = text === '' ? hintAfterSending : undefined;
  useEffect(
    () =>
      watchDelivered((entry) => {
        if (entry.sessionId !== session.id || !entry.message) return;
        if (entry.parentMessageId !== (parentMessageId ?? null)) return;
        noteSent(entry.message);
        messages.addPosted(entry.message);
      }),
    [session.id, parentMessageId, noteSent, messages],
  );

  function send(isLater = false) {
    if (!(isLater ? canSendLater : canSend) || looking) return;
    const body = bodyOf(text);
    if (needsLook(body)) setLooking({ body, isLater });
    else post(body, isLater);
  }

  function post(body: string, isLater: boolean) {
    setLooking(undefined);
    if (isLater) return setTiming(true);
    putInOutbox(owner, { slug, sessionId: session.id, parentMessageId, body });
    setText('');
    area.current?.focus();
  }

  function endLook() {
    setLooking(undefined);
    area.current?.focus();
  }

  function beginMention() {
    if (!area.current) return;
    const { selectionStart: from, selectionEnd: to } = area.current;
    insert(from, to, /[\p{L}\p{N}_]$/u.test(text.slice(0, from)) ? ' @' : '@');
  }

  function replaceMention(written: string, handle: string) {
    const from = text.indexOf(written);
    if (from < 0 || !area.current) return;
    const to = from + written.length;
    const replaced = to === text.length ? `@${handle} ` : `@${handle}`;
    // At the end of the text, where writing goes on, and not in the mention, which would open the list.
    const end = text.length - written.length + replaced.length;
    changeText(area.current, { from, to, text: replaced, select: [end, end] });
    setCaret(null);
  }

  function handleKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (menus.some(({ handleKey: handle }) => handle(event))) return;
    if (handleWritingKey(event, send)) return;
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (event.key === 'ArrowUp' && isPlain && text === '') {
      event.preventDefault();
      onEditLast();
    }
  }

  return (
    <form
      data-composer
      aria-label={parentMessageId ? 'Reply in the thread' : 'Write a message'}
      className="relative flex min-w-0 flex-col gap-1 px-3 pt-1 pb-2 sm:px-6 print:hidden"
      onSubmit={(event) => {
        event.preventDefault();
        // Not a form in a dialog that belongs to the composer.
        if (event.target === event.currentTarget) send();
      }}
    >
      <OpenMenu id={menuId} label="Mention suggestions" menu={mentions} />
      <OpenMenu id={menuId} label="Emoji suggestions" menu={emoji} />
      <OpenMenu id={menuId} label="Commands" menu={commands} />
      <p role="status" className="sr-only">
        {menu
          ? `${menu.suggestions.length} suggestions. Use the arrow keys to choose and Enter to insert.`
          : (askHint ?? '')}
      </p>
      <div className="relative flex min-w-0 flex-col rounded-lg border border-edge bg-surface focus-within:border-accent focus-within:ring-1 focus-within:ring-accent">
        {isOver && <DropHint />}
        {uploads.length > 0 && <UploadTray uploads={uploads} />}
        <label htmlFor={`${id}-text`} className="sr-only">
          {parentMessageId ? 'Reply' : 'Message'}
        </label>
        <textarea
          ref={area}
          id={`${id}-text`}
          dir="auto"
          rows={1}
          value={text}
          placeholder={placeholder}
          aria-describedby={`${id}-hint`}
          aria-invalid={isTooLong || undefined}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={menu && menuId}
          aria-activedescendant={menu && menu.active >= 0 ? `${menuId}-${menu.active}` : undefined}
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
            onFormat={(format) => area.current && formatSelection(area.current, format)}
            onFiles={addFiles}
            onMention={beginMention}
            onEmoji={(chosen) => {
              if (!area.current) return;
              insert(area.current.selectionStart, area.current.selectionEnd, chosen);
            }}
            focusText={() => area.current?.focus()}
          />
          <div className="flex shrink-0 items-center gap-2">
            {stoppable.length > 0 && <StopAnswers replies={stoppable} />}
            <IconButton
              label="Send later"
              icon={Clock}
              disabled={!canSendLater}
              onClick={() => send(true)}
            />
            <Button type="submit" look="primary" size="small" disabled={!canSend}>
              <SendHorizontal aria-hidden className="size-4 rtl:-scale-x-100" />
              Send
            </Button>
          </div>
        </div>
      </div>
      {looking && (
        <BeforeSending
          {...looking}
          onPost={() => post(looking.body, looking.isLater)}
          onDone={() => {
            setText('');
            endLook();
          }}
          onClose={endLook}
        />
      )}
      {isTiming && (
        <SendLater
          body={bodyOf(text)}
          fileIds={uploads.flatMap(({ fileId }) => fileId ?? [])}
          parentMessageId={parentMessageId}
          onScheduled={() => {
            setText('');
            dropUploadsAt(owner, place);
          }}
          onClose={() => {
            setTiming(false);
            area.current?.focus();
          }}
        />
      )}
      {mentions.settled.includes('@') && (
        <MentionNote text={mentions.settled} onReplace={replaceMention} />
      )}
      <Hint
        id={`${id}-hint`}
        note={
          isHeldUp
            ? 'A file couldn’t be uploaded. Try it again or remove it, and then send.'
            : (commands.usage ?? (parentMessageId ? askHint : (typists ?? askHint)))
        }
        isInCode={caret !== null && findOpenFence(text.slice(0, caret)) !== undefined}
        count={count}
      />
    </form>
  );
}

function usePlaceholder(isReply: boolean): string {
  const { plainAnswerer, agentName } = useAnswerers();
  const { session } = useSession();
  const name = useSessionName()(session);
  if (plainAnswerer !== undefined) return `Ask ${agentName(plainAnswerer)}…`;
  if (isDirect(session) && !isReply) return `Message ${name}`;
  return isReply ? 'Reply…' : 'Message, or @ to mention…';
}
