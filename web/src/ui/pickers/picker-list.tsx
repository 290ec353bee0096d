import { Check, Plus } from 'lucide-react';
import {
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { cx } from '../text/cx.ts';
import { fold } from '../text/fold.ts';
import { useAfterPaint } from '../pages/use-after-paint.ts';
import { findOptions, type PickerOption } from './picker-option.ts';
import { PickerPopover } from './picker-popover.tsx';

export interface PickerListProps {
  anchor: RefObject<HTMLElement | null>;
  label: string;
  options: readonly PickerOption[];
  chosen: readonly string[];
  align?: 'start' | 'end' | undefined;
  placeholder?: string | undefined;
  /** What was typed before it was open. */
  typed?: string | undefined;
  isMultiple?: boolean | undefined;
  isNumbered?: boolean | undefined;
  onChoose: (value: string) => void;
  /** Lets people add what they typed. Returns why it can't be added. */
  onCheck?: ((text: string) => string | undefined) | undefined;
  onClose: () => void;
}

/** A search and what it finds. Focus stays in the search, and the arrow keys walk through the list. */
export function PickerList(props: PickerListProps) {
  const { anchor, label, options, chosen, align, isMultiple = false, onChoose, onClose } = props;
  const id = useId();
  const [query, setQuery] = useState(props.typed ?? '');
  const [problem, setProblem] = useState<string>();
  // What is chosen now stays where it is until the list is opened again.
  const [chosenBefore] = useState(chosen);
  const listed = useMemo(
    () => (isMultiple ? chosenFirst(options, chosenBefore) : options),
    [options, chosenBefore, isMultiple],
  );
  const found = useMemo(() => findOptions(listed, query), [listed, query]);
  const text = query.trim();
  const isNew =
    props.onCheck && text !== '' && !options.some(({ name }) => fold(name) === fold(text));
  const items = isNew ? [...found, { value: text, name: `Add “${text}”`, icon: PLUS }] : found;
  const [moved, setMoved] = useState<number>();
  const first = query === '' ? found.findIndex(({ value }) => chosen[0] === value) : 0;
  const active = Math.min(moved ?? Math.max(0, first), items.length - 1);

  function choose(item: PickerOption | undefined) {
    if (!item || item.isDisabled) return;
    const wrong = isNew && item.value === text ? props.onCheck?.(text) : undefined;
    setProblem(wrong);
    if (wrong !== undefined) return;
    onChoose(item.value);
    if (isMultiple && query !== '') change('');
  }
  function change(next: string) {
    setQuery(next);
    setProblem(undefined);
    setMoved(undefined);
  }
  function handleKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const digit = props.isNumbered && query === '' ? numberOf(event) : undefined;
    if (digit !== undefined) choose(items[digit]);
    else if (event.key === 'Enter') choose(items[active]);
    else if (event.key === 'Tab' && !isMultiple) onClose();
    else {
      const next = walk(event.key, active, items.length);
      if (next === undefined) return;
      setMoved(next);
    }
    event.preventDefault();
  }
  return (
    <PickerPopover {...{ anchor, label, align, onClose }}>
      <div className="flex min-h-0 flex-col" onKeyDown={handleKey}>
        <input
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={items[active] && `${id}-${active}`}
          aria-label={props.placeholder ?? `Find ${label.toLowerCase()}`}
          aria-describedby={problem && `${id}-problem`}
          placeholder={props.placeholder ?? `${label}…`}
          dir="auto"
          autoComplete="off"
          maxLength={100}
          className="min-h-9 shrink-0 border-b border-line bg-transparent px-3 text-sm outline-none placeholder:text-muted"
          value={query}
          onChange={({ target }) => change(target.value)}
        />
        <Options
          {...{ id, label, items, active, chosen, isMultiple }}
          isNumbered={props.isNumbered}
          isGrouped={query === ''}
          onMove={setMoved}
          onChoose={choose}
        />
        {items.length === 0 && (
          <p role="status" className="px-3 py-2 text-note text-muted">
            {props.onCheck && query === '' ? 'Type to add one' : 'Nothing found'}
          </p>
        )}
        {problem && (
          <p id={`${id}-problem`} role="alert" className="px-3 py-2 text-note text-danger">
            {problem}
          </p>
        )}
      </div>
    </PickerPopover>
  );
}

const PLUS = <Plus className="size-4 text-muted" />;

interface OptionsProps {
  id: string;
  label: string;
  items: readonly PickerOption[];
  active: number;
  chosen: readonly string[];
  isMultiple: boolean;
  isNumbered?: boolean | undefined;
  isGrouped: boolean;
  onMove: (to: number) => void;
  onChoose: (item: PickerOption) => void;
}

/** Long lists, such as all time zones, are drawn as far as somebody looks. */
const DRAWN = 60;
/** At first, what fits into the list. */
const DRAWN_FIRST = 12;

function Options(props: OptionsProps) {
  const { id, label, items, active, chosen, isMultiple, isNumbered, isGrouped } = props;
  const list = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const isAllDrawn = useAfterPaint();
  const drawn = isAllDrawn
    ? items.slice(0, Math.max(scrolled, active) + DRAWN)
    : items.slice(0, DRAWN_FIRST);
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [active, isAllDrawn]);
  const groups = Map.groupBy(drawn.keys(), (at) => (isGrouped && items[at]?.group) || '');
  const show = (at: number) => {
    const item = items[at];
    if (!item) return null;
    const isChosen = chosen.includes(item.value);
    return (
      <div
        key={item.value}
        id={`${id}-${at}`}
        role="option"
        aria-selected={isChosen}
        aria-disabled={item.isDisabled || undefined}
        data-active={at === active || undefined}
        className="flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-sm aria-disabled:cursor-not-allowed aria-disabled:opacity-60 data-active:bg-hover pointer-coarse:min-h-10"
        onPointerMove={() => at !== active && props.onMove(at)}
        // Focus stays in the search.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => props.onChoose(item)}
      >
        {isMultiple && item.icon !== PLUS && <Box isChecked={isChosen} />}
        {item.icon !== undefined && (
          <span aria-hidden className="inline-flex shrink-0 items-center">
            {item.icon}
          </span>
        )}
        <span dir="auto" className="min-w-0 flex-1 truncate text-left" title={item.name}>
          {item.name}
        </span>
        {item.about && (
          <span className="max-w-1/2 shrink-0 truncate text-note text-muted">{item.about}</span>
        )}
        {!isMultiple && isChosen && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
        {isNumbered && isGrouped && at < 9 && (
          <kbd
            aria-hidden
            className="w-3 shrink-0 text-center font-sans text-xs text-muted pointer-coarse:hidden"
          >
            {at + 1}
          </kbd>
        )}
      </div>
    );
  };
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={label}
      aria-multiselectable={isMultiple || undefined}
      className="max-h-80 min-h-0 overflow-y-auto overscroll-contain p-1 empty:hidden"
      onScroll={({ currentTarget: box }) => {
        const isNearEnd = box.scrollTop + 2 * box.clientHeight > box.scrollHeight;
        if (isNearEnd && drawn.length < items.length) setScrolled(drawn.length);
      }}
    >
      {[...groups].map(([group, places]) =>
        group === '' ? (
          places.map(show)
        ) : (
          <div key={group} role="group" aria-label={group}>
            <p aria-hidden className="px-2 pt-2 pb-1 text-xs text-muted">
              {group}
            </p>
            {places.map(show)}
          </div>
        ),
      )}
    </div>
  );
}

function Box({ isChecked }: { isChecked: boolean }) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-flex size-4 shrink-0 items-center justify-center rounded border',
        isChecked ? 'border-accent-strong bg-accent-strong text-on-accent' : 'border-edge',
      )}
    >
      {isChecked && <Check className="size-3" />}
    </span>
  );
}

function chosenFirst(
  options: readonly PickerOption[],
  chosen: readonly string[],
): readonly PickerOption[] {
  const { true: first = [], false: others = [] } = Object.groupBy(options, ({ value }) =>
    chosen.includes(value) ? 'true' : 'false',
  );
  return [...first, ...others];
}

/** Where a key leads in a list, around its ends. */
function walk(key: string, from: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (from + 1) % count;
  if (key === 'ArrowUp') return (from - 1 + count) % count;
  if (key === 'PageDown') return Math.min(from + 8, count - 1);
  return key === 'PageUp' ? Math.max(from - 8, 0) : undefined;
}

function numberOf({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): number | undefined {
  if (ctrlKey || metaKey || altKey || !/^[1-9]$/.test(key)) return undefined;
  return Number(key) - 1;
}
