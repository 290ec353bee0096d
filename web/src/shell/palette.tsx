import { useLocation } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { startTransition, useEffect, useId, useState, type KeyboardEvent } from 'react';
import { cx } from '../ui/text/cx.ts';
import { useModal } from '../ui/layers/modal.ts';
import { useAfterPaint } from '../ui/pages/use-after-paint.ts';
import { Spinner } from '../ui/states/spinner.tsx';
import { usePaletteEntries } from './palette-entries.tsx';
import { useFoundGroups } from './palette-found.tsx';
import { listFirst, listMatches, type PaletteEntry, type PaletteGroup } from './palette-groups.ts';
import { useRecentPlaces } from '../data/device/recent-places.ts';

/** One box to jump anywhere or do anything. Focus stays in the box while the arrow keys move through the list. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [, modal] = useModal(onClose);
  const [query, setQuery] = useState('');
  // By its id, because results that arrive later move the others.
  const [chosenId, setChosenId] = useState<string>();
  const typed = query.trim();
  const { groups, isBusy } = useGroups(typed);
  // Enter, pressed before the list shows what was typed last.
  const [entered, setEntered] = useState<string>();
  const entries = groups.flatMap((group) => group.entries);
  const at = Math.max(
    0,
    entries.findIndex((entry) => entry.id === chosenId),
  );
  const current = entries[at];
  const id = useId();
  const optionId = (entry: PaletteEntry | undefined) => entry && `${id}-${entry.id}`;
  const isListShown = useAfterPaint();
  const currentOption = isListShown ? optionId(current) : undefined;
  useEffect(() => {
    const option = document.getElementById(currentOption ?? '');
    // The heading of the first group is above its first entry.
    (at === 0 ? option?.parentElement : option)?.scrollIntoView({ block: 'nearest' });
  }, [currentOption, at]);

  function choose(entry: PaletteEntry | undefined): void {
    if (!entry) return;
    onClose();
    entry.run();
  }
  useEffect(() => {
    if (entered === typed) choose(current);
  });
  function move(by: 1 | -1): void {
    setChosenId(entries.at((at + by) % entries.length)?.id);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const newest = event.currentTarget.value.trim();
    if (event.key === 'Enter' && newest !== typed) setEntered(newest);
    else if (event.key === 'Enter') choose(current);
    else if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Tab' && !event.shiftKey) move(1);
    else return;
    event.preventDefault();
  }

  return (
    <dialog
      {...modal}
      aria-label="Search or jump to"
      className="mx-auto mt-[10dvh] max-h-[min(32rem,80dvh)] w-[calc(100vw-1.5rem)] max-w-xl overflow-hidden rounded-xl border border-line bg-raised shadow-2xl open:flex open:flex-col"
    >
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <Words
          controls={`${id}-list`}
          option={currentOption}
          onKeyDown={onKeyDown}
          onChange={(words) => {
            setEntered(undefined);
            // The letters are shown first, and then what they find.
            startTransition(() => {
              setQuery(words);
              setChosenId(undefined);
            });
          }}
        />
        {isBusy ? (
          <Spinner />
        ) : (
          <kbd className="hidden shrink-0 text-xs text-muted sm:inline">Esc</kbd>
        )}
      </div>
      <div
        role="listbox"
        id={`${id}-list`}
        aria-label="Results"
        aria-busy={isBusy}
        // As high as the dialog can be, which the first list fills.
        className={cx('min-h-0 flex-1 overflow-y-auto p-1.5', !isListShown && 'h-128')}
      >
        {isListShown &&
          groups.map((group, nth) => (
            <div key={group.name} role="group" aria-labelledby={`${id}-group-${nth}`}>
              <div
                id={`${id}-group-${nth}`}
                role="presentation"
                className="px-2.5 pt-2 pb-1 text-xs font-semibold text-muted"
              >
                {group.name}
              </div>
              {group.entries.map((entry) => (
                <Option
                  key={entry.id}
                  id={optionId(entry)}
                  entry={entry}
                  isCurrent={entry === current}
                  onPoint={() => setChosenId(entry.id)}
                  onChoose={() => choose(entry)}
                />
              ))}
            </div>
          ))}
      </div>
      <p role="status" className="sr-only">
        {isBusy ? 'Searching…' : entries.length === 1 ? '1 result' : `${entries.length} results`}
      </p>
    </dialog>
  );
}

interface WordsProps {
  controls: string;
  option: string | undefined;
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void;
  onChange: (words: string) => void;
}

function Words({ controls, option, onKeyDown, onChange }: WordsProps) {
  const [words, setWords] = useState('');
  return (
    <input
      role="combobox"
      aria-label="Search or jump to"
      aria-expanded
      aria-controls={controls}
      aria-activedescendant={option}
      aria-autocomplete="list"
      autoComplete="off"
      spellCheck={false}
      maxLength={500}
      placeholder="Project, session, person, message, task, file or action"
      className="min-h-12 w-full bg-transparent outline-none placeholder:text-muted"
      value={words}
      onChange={({ target }) => {
        setWords(target.value);
        onChange(target.value);
      }}
      onKeyDown={onKeyDown}
    />
  );
}

/** What the server finds comes last, so that it never moves what is listed at once. */
function useGroups(typed: string): { groups: PaletteGroup[]; isBusy: boolean } {
  const entries = usePaletteEntries();
  const places = useRecentPlaces();
  const { pathname } = useLocation();
  const found = useFoundGroups(typed);
  const others = places.filter((place) => place !== pathname);
  const known = typed === '' ? listFirst(entries, others) : listMatches(entries, typed);
  return { groups: [...known, ...found.groups], isBusy: found.isBusy };
}

interface OptionProps {
  id: string | undefined;
  entry: PaletteEntry;
  isCurrent: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Option({ id, entry, isCurrent, onPoint, onChoose }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isCurrent}
      className={cx(
        'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 text-sm',
        isCurrent && 'bg-hover outline-2 -outline-offset-2 outline-accent',
      )}
      onMouseMove={onPoint}
      onClick={onChoose}
    >
      {entry.icon}
      <bdi className="min-w-0 flex-1 truncate text-left">{entry.content ?? entry.label}</bdi>
      <bdi className="max-w-[45%] shrink-0 truncate text-xs text-muted">{entry.kind}</bdi>
    </div>
  );
}
