import type { File as StoredFile } from '@atrium/sdk';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { IconButton } from '../../../ui/controls/button.tsx';
import { CONTROL } from '../../../ui/forms/field.tsx';
import { inWords } from '../../../ui/states/error-note.tsx';
import type { Find } from './use-find.ts';

/** Finds words in the whole file. Enter goes to the next match, with Shift to the one before. */
export function FindInFile({ file, find }: { file: StoredFile; find: Find }) {
  const { typed, change, query, total, current, step, isBusy, error } = find;
  const input = useRef<HTMLInputElement>(null);
  useFindKey(input);
  if (file.text !== 'READY') {
    return <p className="text-note text-muted">{whyNot(file)}</p>;
  }
  function handleKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  }
  const outcome =
    typed.trim() === ''
      ? ''
      : error
        ? inWords(error)
        : total === undefined || isBusy
          ? 'Searching…'
          : current
            ? `${current.index + 1} of ${total.toLocaleString()}`
            : 'Not found';
  return (
    <search className="flex min-w-0 items-center gap-1 max-sm:basis-full">
      <input
        ref={input}
        type="search"
        aria-label="Find in this file"
        placeholder="Find in this file"
        aria-keyshortcuts="Control+F"
        dir="auto"
        maxLength={200}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => change(target.value)}
        onKeyDown={handleKey}
        className={`${CONTROL} min-h-8 min-w-0 max-sm:flex-1 sm:w-56!`}
      />
      <IconButton
        label="Previous match"
        icon={ChevronUp}
        disabled={!current || query === ''}
        onClick={() => step(-1)}
      />
      <IconButton
        label="Next match"
        icon={ChevronDown}
        disabled={!current || query === ''}
        onClick={() => step(1)}
      />
      <p role="status" className="ms-1 min-w-0 truncate text-note text-muted tabular-nums">
        {outcome}
      </p>
    </search>
  );
}

/** The browser's own search finds nothing in pictures of pages. */
function useFindKey(input: { current: HTMLInputElement | null }) {
  useEffect(() => {
    function focusSearch(event: globalThis.KeyboardEvent) {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'f' || !(ctrlKey || metaKey) || altKey || shiftKey) return;
      if (!input.current) return;
      event.preventDefault();
      input.current.select();
    }
    document.addEventListener('keydown', focusSearch);
    return () => document.removeEventListener('keydown', focusSearch);
  }, [input]);
}

function whyNot({ text, textReason }: StoredFile): string {
  if (text === 'PENDING') return 'Its text is being read, and can be searched soon.';
  return textReason ?? 'It has no text that can be searched.';
}
