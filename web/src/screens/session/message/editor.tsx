import type { Message } from '@atrium/sdk';
import { useState, type KeyboardEvent } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { CONTROL } from '../../../ui/forms/field.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { useMessageActions } from '../actions.tsx';
import { handleWritingKey } from '../composer/writing-keys.ts';

/** Edits a message in place, with the keys of the composer. Escape cancels. */
export function MessageEditor({ message, onClose }: { message: Message; onClose: () => void }) {
  const { edit } = useMessageActions();
  const [body, setBody] = useState(message.body);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const isEmpty = body.trim() === '';
  async function save() {
    if (isEmpty || isBusy) return;
    if (body === message.body) return onClose();
    setBusy(true);
    try {
      await edit(message, body);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  }
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (handleWritingKey(event, () => void save()) || event.nativeEvent.isComposing) return;
    if (event.key !== 'Escape') return;
    // Nothing else closes with it, such as the thread.
    event.preventDefault();
    onClose();
  }
  return (
    <form
      aria-label="Edit message"
      className="flex flex-col gap-2 py-1"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <textarea
        autoFocus
        aria-label="Message text"
        aria-describedby={`edit-hint-${message.id}`}
        dir="auto"
        value={body}
        maxLength={20_000}
        onChange={(event) => setBody(event.target.value)}
        onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
        onKeyDown={onKeyDown}
        className={cx(CONTROL, 'field-sizing-content max-h-[50dvh] min-h-20 py-2')}
      />
      {error !== undefined && <ErrorNote error={error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" size="small" look="primary" isBusy={isBusy} disabled={isEmpty}>
          Save changes
        </Button>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <span id={`edit-hint-${message.id}`} className="text-xs text-muted">
          Enter to save, Shift+Enter for a new line, Esc to cancel. Agents don’t answer edits.
        </span>
      </div>
    </form>
  );
}
