import { useNavigate } from '@tanstack/react-router';
import { BookMarked, Search } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { cx } from '../../ui/cx.ts';
import { useModal } from '../../ui/modal.ts';
import { scoreMatch } from './fuzzy-match.ts';
import { usePaletteEntries, type PaletteEntry } from './palette-entries.tsx';

const MOST = 50;

/** One box to jump anywhere or do anything. Focus stays in the box while the arrow keys move through the list. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [dialog, setDialog] = useModal();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const found = useFound(query);
  const current = Math.min(at, found.length - 1);
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' });
  }, [current, found]);

  function choose(entry: PaletteEntry | undefined): void {
    if (!entry) return;
    onClose();
    entry.run();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') choose(found[current]);
    else if (event.key === 'ArrowDown') setAt((current + 1) % found.length);
    else if (event.key === 'ArrowUp') setAt((current - 1 + found.length) % found.length);
    else if (event.key === 'Tab' && !event.shiftKey) setAt((current + 1) % found.length);
    else return;
    event.preventDefault();
  }

  return (
    <dialog
      ref={setDialog}
      aria-label="Search or jump to"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog) onClose();
      }}
      className="mx-auto mt-[10dvh] max-h-[min(32rem,80dvh)] w-[calc(100vw-1.5rem)] max-w-xl overflow-hidden rounded-xl border border-line bg-raised shadow-2xl open:flex open:flex-col"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <input
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={`${id}-${current}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          placeholder="Project, session, page or action"
          className="min-h-12 w-full bg-transparent outline-none placeholder:text-muted"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd className="hidden shrink-0 text-xs text-muted sm:inline">Esc</kbd>
      </div>
      <ul
        ref={list}
        role="listbox"
        id={`${id}-list`}
        aria-label="Results"
        className="min-h-0 flex-1 overflow-y-auto p-1.5"
      >
        {found.map((entry, index) => (
          <li
            key={entry.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            className={cx(
              'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 text-sm',
              index === current && 'bg-hover outline-2 -outline-offset-2 outline-accent',
            )}
            onMouseMove={() => setAt(index)}
            onClick={() => choose(entry)}
          >
            {entry.icon}
            <span className="min-w-0 flex-1 truncate text-left" dir="auto">
              {entry.label}
            </span>
            <span className="max-w-[45%] shrink-0 truncate text-xs text-muted" dir="auto">
              {entry.kind}
            </span>
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {found.length === 1 ? '1 result' : `${found.length} results`}
      </p>
    </dialog>
  );
}

function useFound(query: string): PaletteEntry[] {
  const entries = usePaletteEntries();
  const navigate = useNavigate();
  const typed = query.trim();
  // There are few entries, and they are rebuilt on every render, so this recomputes cheaply.
  return useMemo(() => {
    if (typed === '') return entries.filter(({ isFirst }) => isFirst);
    const matches = entries
      .map((entry) => ({ entry, score: scoreEntry(typed, entry) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MOST)
      .map(({ entry }) => entry);
    return [
      ...matches,
      memorySearch(typed, () => void navigate({ to: '/memory', search: { q: typed } })),
    ];
  }, [typed, entries, navigate]);
}

function scoreEntry(query: string, { label, keywords = '', kind }: PaletteEntry): number {
  return scoreMatch(query, label, `${keywords} ${kind}`);
}

function memorySearch(typed: string, run: () => void): PaletteEntry {
  return {
    id: 'search-memory',
    label: `Search memory for “${typed}”`,
    kind: 'Memory',
    icon: <BookMarked aria-hidden className="size-4 shrink-0 text-muted" />,
    isFirst: false,
    run,
  };
}
