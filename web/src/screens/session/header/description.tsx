import { useState } from 'react';
import { cx } from '../../../ui/text/cx.ts';

/** What the session is about: one line, or all of it after a press. */
export function Description({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      dir="auto"
      className={cx(
        'min-h-6 max-w-full self-start rounded text-left text-note text-muted hover:text-ink',
        isOpen ? 'max-h-40 overflow-y-auto whitespace-pre-line wrap-anywhere' : 'truncate',
      )}
      onClick={() => setOpen(!isOpen)}
    >
      <span className="sr-only">Description: </span>
      {text}
    </button>
  );
}
