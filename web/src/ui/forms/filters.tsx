import { ListFilter, X } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { cx } from '../text/cx.ts';
import { DayField } from './day-field.tsx';

/** The fields of a list's filters, in columns. On a phone they unfold. */
export function FilterFields({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button
        className="self-start md:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        icon={ListFilter}
      >
        Filters
      </Button>
      <div
        id={id}
        role="group"
        aria-label="Filters"
        className={cx('grid-cols-2 gap-3 md:grid md:grid-cols-5', isOpen ? 'grid' : 'hidden')}
      >
        {children}
      </div>
    </>
  );
}

interface FilterChipsProps<Name extends string> {
  /** Falsy for a filter that is off. */
  chips: ({ name: Name; words: string } | '' | undefined)[];
  onRemove: (name: Name) => void;
  onClear: () => void;
}

/** The filters that are on. Each can be removed. */
export function FilterChips<Name extends string>(props: FilterChipsProps<Name>) {
  const { onRemove, onClear } = props;
  const chips = props.chips.filter((chip) => typeof chip === 'object');
  if (chips.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {chips.map(({ name, words }) => (
        <li key={name} className="min-w-0">
          <button
            type="button"
            aria-label={`Remove filter ${words}`}
            className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full bg-accent-soft px-3 text-note text-accent hover:brightness-95"
            onClick={() => onRemove(name)}
          >
            <bdi className="wrap-anywhere">{words}</bdi>
            <X aria-hidden className="size-3.5 shrink-0" />
          </button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Button look="quiet" size="small" onClick={onClear}>
            Clear all filters
          </Button>
        </li>
      )}
    </ul>
  );
}

interface DayFieldsProps {
  after: string | undefined;
  before: string | undefined;
  onChange: (days: { after?: string | undefined; before?: string | undefined }) => void;
}

/** The first and the last day, two of the columns. */
export function DayFields({ after, before, onChange }: DayFieldsProps) {
  return (
    <>
      <DayField
        label="From"
        value={after ?? ''}
        max={before}
        isPast
        empty="Any day"
        onChange={(day) => onChange({ after: day || undefined })}
      />
      <DayField
        label="To"
        value={before ?? ''}
        min={after}
        isPast
        empty="Any day"
        onChange={(day) => onChange({ before: day || undefined })}
      />
    </>
  );
}
