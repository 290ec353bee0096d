import { CalendarOff, CalendarDays } from 'lucide-react';
import { useId, useState, type KeyboardEvent, type RefObject } from 'react';
import { dayInWords, dayOf } from '../text/days.ts';
import { Calendar } from './calendar.tsx';
import { PickerPopover } from './picker-popover.tsx';
import { daysTo, readDay } from './read-day.ts';

interface DayListProps {
  anchor: RefObject<HTMLElement | null>;
  label: string;
  value: string | null;
  clear: string;
  align?: 'start' | 'end' | undefined;
  min?: string | undefined;
  max?: string | undefined;
  isPast?: boolean | undefined;
  /** What was typed before it was open. */
  typed?: string | undefined;
  onChoose: (day: string | null) => void;
  onClose: () => void;
}

interface Suggestion {
  day: string | null;
  name: string;
}

/** A field that reads days in words, suggestions, and a calendar. Tab leads from one to the next. */
export function DayList(props: DayListProps) {
  const { anchor, label, value, align, min = '', max = '9999', onChoose, onClose } = props;
  const id = useId();
  const [now] = useState(() => new Date());
  const [text, setText] = useState(props.typed ?? '');
  const [active, setActive] = useState(0);
  const isWithin = (day: string) => day >= min && day <= max;
  const items = suggest(text, now, props).filter(({ day }) => day === null || isWithin(day));
  function handleKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const item = items[active];
    if (event.key === 'Enter' && item) onChoose(item.day);
    else if (event.key === 'ArrowDown') setActive((active + 1) % Math.max(1, items.length));
    else if (event.key === 'ArrowUp') setActive((active - 1 + items.length) % items.length);
    else if (event.key !== 'Enter') return;
    event.preventDefault();
  }
  return (
    <PickerPopover {...{ anchor, label, align, onClose }}>
      <div className="flex min-h-0 flex-col overflow-y-auto">
        <input
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={items[active] && `${id}-${active}`}
          aria-label={label}
          placeholder={props.isPast ? 'yesterday, fri, 17 may…' : 'tomorrow, fri, 17 may…'}
          autoComplete="off"
          maxLength={40}
          className="min-h-9 shrink-0 border-b border-line bg-transparent px-3 text-sm outline-none placeholder:text-muted"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setActive(0);
          }}
          onKeyDown={handleKey}
        />
        <div id={`${id}-list`} role="listbox" aria-label={label} className="p-1 empty:hidden">
          {items.map(({ day, name }, at) => (
            <div
              key={name}
              id={`${id}-${at}`}
              role="option"
              aria-selected={day === value}
              data-active={at === active || undefined}
              className="flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-sm data-active:bg-hover pointer-coarse:min-h-10"
              onPointerMove={() => at !== active && setActive(at)}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(day)}
            >
              {day === null ? (
                <CalendarOff aria-hidden className="size-4 shrink-0 text-muted" />
              ) : (
                <CalendarDays aria-hidden className="size-4 shrink-0 text-muted" />
              )}
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {day && <span className="text-note text-muted">{SHORT.format(noon(day))}</span>}
            </div>
          ))}
        </div>
        {items.length === 0 && (
          <p role="status" className="px-3 py-2 text-note text-muted">
            Type a day, such as “tomorrow”, “in 2 weeks” or “17 may”.
          </p>
        )}
        <Calendar {...{ label, value, now, isWithin, onChoose }} />
      </div>
    </PickerPopover>
  );
}

const SHORT = new Intl.DateTimeFormat(undefined, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});

function noon(day: string): Date {
  return new Date(`${day}T12:00:00`);
}

type Suggesting = Pick<DayListProps, 'value' | 'clear' | 'isPast'>;

function suggest(text: string, now: Date, { value, clear, isPast }: Suggesting): Suggestion[] {
  if (text.trim() !== '') {
    const day = readDay(text, now, isPast);
    return day ? [{ day, name: dayInWords(day) }] : [];
  }
  const none = value === null || clear === '' ? [] : [{ day: null, name: clear }];
  if (isPast) {
    return [
      { day: dayOf(now), name: 'Today' },
      { day: dayOf(now, -1), name: 'Yesterday' },
      { day: dayOf(now, -7), name: 'A week ago' },
      { day: dayOf(now, -30), name: '30 days ago' },
      ...none,
    ];
  }
  return [
    { day: dayOf(now), name: 'Today' },
    { day: dayOf(now, 1), name: 'Tomorrow' },
    { day: dayOf(now, daysTo(5, now)), name: now.getDay() === 5 ? 'Next Friday' : 'Friday' },
    { day: dayOf(now, daysTo(1, now)), name: 'Next week' },
    ...none,
  ];
}
