import {
  Apple,
  Clock,
  Flag,
  Hash,
  Leaf,
  Lightbulb,
  Plane,
  Smile,
  Trophy,
  UserRound,
  type LucideIcon,
} from 'lucide-react';
import {
  useCallback,
  useDeferredValue,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react';
import {
  EMOJI_GROUPS,
  findEmoji,
  TONES,
  toneEmoji,
  type Emoji,
  type Tone,
} from '../../../../server/src/text/emoji/emoji.ts';
import { useUsedEmoji } from '../../data/device/used-emoji.ts';
import { isTouch } from '../../ui/keys/is-touch.ts';
import { useAfterPaint } from '../../ui/pages/use-after-paint.ts';
import { cellId, EmojiGrid, type GridHandle } from './emoji-grid.tsx';
import {
  cellAt,
  choosable,
  COLUMNS,
  firstPlace,
  move,
  rowsOf,
  type Cell,
  type Place,
} from './picker-rows.ts';
import { searchEmoji } from './search-emoji.ts';
import { TonePicker } from './tone-picker.tsx';
import { usualEmoji } from './usual-emoji.ts';

const GROUPS = choosable(EMOJI_GROUPS);
const ALL = GROUPS.flatMap(({ emoji }) => emoji);
const RECENT = 'Recently used';
const FOUND = 'Search results';
const MOST_FOUND = 12 * COLUMNS;

/** In the order of the groups. */
const ICONS = [Smile, UserRound, Leaf, Apple, Plane, Trophy, Lightbulb, Hash, Flag];
const TABS: [string, LucideIcon][] = [
  [RECENT, Clock],
  ...GROUPS.map(({ name }, at): [string, LucideIcon] => [name, ICONS[at] ?? Smile]),
];

interface PickerProps {
  /** What the person has chosen already. */
  chosen?: ReadonlySet<string>;
  onChoose: (text: string) => void;
}

const NOTHING: ReadonlySet<string> = new Set();
const NO_ROWS: ReturnType<typeof rowsOf> = [];

/** All emoji in groups, found by their names. Typing searches, and the arrow keys walk through the grid. */
export function EmojiPicker({ chosen = NOTHING, onChoose }: PickerProps) {
  const id = useId();
  const grid = useRef<GridHandle>(null);
  const { recent, tone, noteUsed, chooseTone } = useUsedEmoji();
  // What is chosen here moves to the front only when the picker is opened again.
  const [recentBefore] = useState(recent);
  const [query, setQuery] = useState('');
  const isGridShown = useAfterPaint();
  // Letters are shown before what they find.
  const sought = useDeferredValue(query);
  const rows = useMemo(
    () => (isGridShown ? rowsFor(sought, recentBefore, tone) : NO_ROWS),
    [isGridShown, sought, recentBefore, tone],
  );
  const [moved, setMoved] = useState<{ rows: typeof rows; row: number; column: number }>();
  const first = useMemo(() => firstPlace(rows), [rows]);
  const active = moved?.rows === rows ? moved : first;
  const activeCell = cellAt(rows, active);

  // The same functions for all letters, so that the grid is only drawn again for what they find.
  const choose = useCallback(
    ({ text }: Cell) => {
      noteUsed(text);
      onChoose(text);
    },
    [noteUsed, onChoose],
  );
  const activate = useCallback((place: Place) => setMoved({ rows, ...place }), [rows]);
  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      const found = sought === query ? activeCell : firstCell(rowsFor(query, recentBefore, tone));
      if (found) choose(found);
      return;
    }
    // Until they walk into the grid, these keys move in the text that they typed.
    const isAcross = !['ArrowUp', 'ArrowDown'].includes(event.key);
    if (isAcross && query !== '' && moved?.rows !== rows) return;
    const next = move(rows, active, event.key);
    if (!next || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    setMoved({ rows, ...next });
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex justify-between px-2 pt-1" role="group" aria-label="Groups">
        {TABS.map(([name, Icon]) => (
          <button
            key={name}
            type="button"
            aria-label={name}
            data-tooltip={name}
            className="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
            onClick={() => {
              setQuery('');
              // After the groups are there again, if there was a search.
              requestAnimationFrame(() => grid.current?.showGroup(name));
            }}
          >
            <Icon aria-hidden className="size-4" />
          </button>
        ))}
      </div>
      <div className="p-2 pt-1">
        <input
          autoFocus={!isTouch()}
          type="text"
          role="combobox"
          aria-label="Search emoji"
          aria-autocomplete="list"
          aria-haspopup="grid"
          aria-expanded
          aria-controls={`${id}-grid`}
          aria-activedescendant={activeCell && cellId(`${id}-grid`, active)}
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          placeholder="Search emoji"
          value={query}
          className="block min-h-9 w-full rounded-md border border-edge bg-surface px-3 text-[16px] text-ink placeholder:text-muted sm:text-sm"
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={handleKey}
        />
      </div>
      <p role="status" className="sr-only">
        {sought !== '' && countFound(rows)}
      </p>
      {rows.length === 0 ? (
        <p className="flex-1 px-3 py-6 text-center text-sm text-muted wrap-anywhere">
          {isGridShown && `No emoji found for “${sought}”`}
        </p>
      ) : (
        <EmojiGrid
          id={`${id}-grid`}
          rows={rows}
          active={active}
          chosen={chosen}
          onActive={activate}
          onChoose={choose}
          handle={grid}
        />
      )}
      <div className="flex min-h-13 items-center justify-between gap-2 border-t border-line px-3 py-1">
        <Preview cell={activeCell} />
        <TonePicker tone={tone} onChoose={chooseTone} />
      </div>
    </div>
  );
}

function Preview({ cell }: { cell: Cell | undefined }) {
  if (!cell) return <span />;
  const [shortName] = cell.emoji.shortNames;
  return (
    // The grid names its cells itself.
    <p aria-hidden className="flex min-w-0 items-center gap-2">
      <span className="font-emoji text-2xl leading-none">{cell.text}</span>
      <span className="flex min-w-0 flex-col">
        <span className="truncate text-note font-medium first-letter:uppercase">
          {cell.emoji.name}
        </span>
        <span className="truncate text-xs text-muted">:{shortName}:</span>
      </span>
    </p>
  );
}

function countFound(rows: ReturnType<typeof rowsOf>): string {
  const counts = rows.map((row) => (row.kind === 'emoji' ? row.cells.length : 0));
  const count = counts.reduce((sum, one) => sum + one, 0);
  return count === 1 ? '1 emoji' : `${count} emoji`;
}

function firstCell(rows: ReturnType<typeof rowsOf>): Cell | undefined {
  return cellAt(rows, firstPlace(rows));
}

/** Without its skin tone. */
function plain(text: string): string {
  return findEmoji(text)?.emoji.text ?? text;
}

function rowsFor(query: string, recent: readonly string[], tone: string) {
  const isTone = (text: string): text is Tone => TONES.some((one) => one === text);
  const cellOf = (emoji: Emoji): Cell => ({
    text: isTone(tone) ? toneEmoji(emoji, tone) : emoji.text,
    emoji,
  });
  if (query.trim() !== '') {
    const found = searchEmoji(ALL, query, MOST_FOUND, usualEmoji(recent, COLUMNS).map(plain));
    return rowsOf([{ name: FOUND, cells: found.map(cellOf) }]);
  }
  // In the tone in which they were used.
  const used = usualEmoji(recent, COLUMNS).flatMap((text) => {
    const found = findEmoji(text);
    return found ? [{ text: found.text, emoji: found.emoji }] : [];
  });
  const groups = GROUPS.map(({ name, emoji }) => ({ name, cells: emoji.map(cellOf) }));
  return rowsOf([{ name: RECENT, cells: used }, ...groups]);
}
