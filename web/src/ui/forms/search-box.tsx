import { Search } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { CONTROL } from './field.tsx';
import { Spinner } from '../states/spinner.tsx';

/** Each change of the address is a request: at most five a second, half of a person's limit. */
const PAUSE_MS = 200;

interface SearchBoxProps {
  label: string;
  placeholder: string;
  query: string;
  isBusy: boolean;
  onSearch: (query: string | undefined, isEntered: boolean) => void;
  onArrowDown: () => void;
  inputRef: RefObject<HTMLInputElement | null>;
  /** As high as other fields, beside which it is. */
  isSmall?: boolean;
}

/** Searches in pauses of typing and on Enter. The slash key focuses it. */
export function SearchBox(props: SearchBoxProps) {
  const { label, placeholder, query, isBusy, onSearch, onArrowDown, inputRef, isSmall } = props;
  const id = useId();
  const [text, setText] = useState(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The last search sent from here. A link or the Back button also changes the address.
  const sent = useRef(query);
  useEffect(() => {
    if (query === sent.current) return;
    sent.current = query;
    setText(query);
  }, [query]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useSlashKey(inputRef);

  function search(written: string, isEntered = false) {
    clearTimeout(timer.current);
    sent.current = written;
    onSearch(written || undefined, isEntered);
  }

  function change(written: string) {
    setText(written);
    clearTimeout(timer.current);
    if (written === '') search('');
    else timer.current = setTimeout(() => search(written), PAUSE_MS);
  }

  function handleKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') search(text, true);
    else if (event.key === 'ArrowDown') {
      event.preventDefault();
      onArrowDown();
    }
  }

  return (
    <search className="relative">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        id={id}
        ref={inputRef}
        type="search"
        dir="auto"
        maxLength={2_000}
        autoComplete="off"
        aria-keyshortcuts="/"
        placeholder={placeholder}
        className={`${CONTROL} ${isSmall ? 'min-h-10 sm:min-h-9' : 'min-h-12 text-base'} pr-12 pl-10 [&::-webkit-search-cancel-button]:mr-1`}
        value={text}
        onChange={({ target }) => change(target.value)}
        onKeyDown={handleKey}
      />
      <span className="absolute top-1/2 right-3.5 -translate-y-1/2">
        {isBusy ? (
          <Spinner />
        ) : (
          text === '' && (
            <kbd
              aria-hidden
              className="hidden rounded border border-line px-1.5 text-xs text-muted sm:block"
            >
              /
            </kbd>
          )
        )}
      </span>
    </search>
  );
}

function useSlashKey(inputRef: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    function focusSearch(event: globalThis.KeyboardEvent) {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
      const isWriting =
        target instanceof HTMLElement &&
        (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
      if (isWriting || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      inputRef.current?.focus();
    }
    document.addEventListener('keydown', focusSearch);
    return () => document.removeEventListener('keydown', focusSearch);
  }, [inputRef]);
}
