import type { Message } from '@atrium/sdk';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { CONTROL } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { changeText } from '../composer/formatting.ts';
import { OpenMenu } from '../composer/open-menu.tsx';
import { useEmojiMenu } from '../composer/use-emoji-menu.ts';
import { handleWritingKey } from '../composer/writing-keys.ts';
import { useSession } from '../session-context.ts';
import { useMessageActions } from '../use-message-actions.ts';

/** Edits a message in place, with the keys of the composer. Escape cancels. */
export function MessageEditor({ message, onClose }: { message: Message; onClose: () => void }) {
  const { client } = useWorkspace();
  const { slug, messages } = useSession();
  const { canAskAgain, focusAsked } = useMessageActions();
  const isQuestion = canAskAgain(message);
  const [body, setBody] = useState(message.body);
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | null>(null);
  const emoji = useEmojiMenu(body, caret, (from, to, text) => {
    const end = from + text.length;
    if (area.current) changeText(area.current, { from, to, text, select: [end, end] });
  });
  const isSuggesting = emoji.suggestions.length > 0;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  // Its files stay, and say enough.
  const isEmpty = body.trim() === '' && message.attachments.length === 0;
  async function save() {
    if (isEmpty || isBusy) return;
    if (body === message.body) return onClose();
    setBusy(true);
    try {
      await messages.change(message.id, () => client.messages.edit(slug, message.id, { body }));
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  }
  /** The version before is kept. Unchanged, it is asked once more. */
  async function askAgain() {
    if (isEmpty || isBusy) return;
    setBusy(true);
    try {
      const asked = await messages.askAgain(message.id, { body });
      onClose();
      focusAsked(asked);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  }
  const submit = () => void (isQuestion ? askAgain() : save());
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (emoji.handleKey(event)) return;
    if (handleWritingKey(event, submit) || event.nativeEvent.isComposing) return;
    if (event.key !== 'Escape') return;
    // Nothing else closes with it, such as the thread.
    event.preventDefault();
    onClose();
  }
  return (
    <Form aria-label="Edit message" className="flex flex-col gap-2 py-1" onSubmit={submit}>
      <div className="relative">
        <OpenMenu id={id} label="Emoji suggestions" menu={emoji} />
        <textarea
          ref={area}
          autoFocus
          aria-label="Message text"
          aria-describedby={`edit-hint-${message.id}`}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={isSuggesting ? id : undefined}
          aria-activedescendant={isSuggesting ? `${id}-${emoji.active}` : undefined}
          dir="auto"
          value={body}
          maxLength={20_000}
          onChange={({ target }) => {
            setBody(target.value);
            setCaret(target.selectionStart);
          }}
          onSelect={({ currentTarget: { selectionStart, selectionEnd } }) =>
            setCaret(selectionStart === selectionEnd ? selectionStart : null)
          }
          onBlur={() => setCaret(null)}
          onFocus={({ target }) =>
            target.setSelectionRange(target.value.length, target.value.length)
          }
          onKeyDown={onKeyDown}
          className={cx(CONTROL, 'field-sizing-content max-h-[50dvh] min-h-20 py-2')}
        />
      </div>
      {error !== undefined && <ErrorNote error={error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" size="small" look="primary" isBusy={isBusy} disabled={isEmpty}>
          {isQuestion ? 'Ask again' : 'Save changes'}
        </Button>
        {isQuestion && (
          <Button
            size="small"
            disabled={isEmpty || isBusy || body === message.body}
            onClick={() => void save()}
          >
            Only change the text
          </Button>
        )}
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <span id={`edit-hint-${message.id}`} className="text-xs text-muted">
          {isQuestion
            ? 'Enter to ask again, Esc to cancel. What you asked before is kept.'
            : 'Enter to save, Shift+Enter for a new line, Esc to cancel. Agents don’t answer edits.'}
        </span>
      </div>
    </Form>
  );
}
