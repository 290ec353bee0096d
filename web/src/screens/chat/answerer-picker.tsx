import { Bot, Check, ChevronDown } from 'lucide-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { CONTROL } from '../../ui/forms/field.tsx';
import { cx } from '../../ui/text/cx.ts';
import { findOptions, type AnswererOption } from './answerer-options.ts';

interface AnswererPickerProps {
  options: readonly AnswererOption[];
  value: string;
  onChange: (slug: string) => void;
}

/** Chooses who answers, with a search. */
export function AnswererPicker({ options, value, onChange }: AnswererPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const chosen = options.find(({ slug }) => slug === value) ?? options[0];
  const label = chosen?.slug === '' ? chosen.details || chosen.name : (chosen?.name ?? '');
  function close() {
    setOpen(false);
    button.current?.focus();
  }
  return (
    <div
      className="relative min-w-0"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <Button
        ref={button}
        size="small"
        look="quiet"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-label={`Answered by ${label}`}
        data-tooltip="Who answers"
        className="max-w-full min-w-0"
        onClick={() => setOpen(!isOpen)}
      >
        <Bot aria-hidden className="size-4 shrink-0 text-muted" />
        <bdi className="min-w-0 truncate">{label}</bdi>
        <ChevronDown aria-hidden className="size-3.5 shrink-0 text-muted" />
      </Button>
      {isOpen && (
        <Options
          options={options}
          value={chosen?.slug ?? ''}
          onChoose={(slug) => {
            onChange(slug);
            close();
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

interface OptionsProps {
  options: readonly AnswererOption[];
  value: string;
  onChoose: (slug: string) => void;
  onClose: () => void;
}

function Options({ options, value, onChoose, onClose }: OptionsProps) {
  const id = useId();
  const [query, setQuery] = useState('');
  const found = findOptions(options, query);
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      found.findIndex(({ slug }) => slug === value),
    ),
  );
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  function handleKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const last = found.length - 1;
    const option = found[active];
    if (event.key === 'ArrowDown') setActive(active >= last ? 0 : active + 1);
    else if (event.key === 'ArrowUp') setActive(active <= 0 ? last : active - 1);
    else if (event.key === 'Enter' && option) onChoose(option.slug);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div className="absolute top-full left-0 z-20 mt-1 flex w-80 max-w-[calc(100vw-3rem)] flex-col gap-1 rounded-lg border border-line bg-raised p-1 shadow-lg">
      <input
        autoFocus
        role="combobox"
        aria-label="Search agents and models"
        aria-expanded
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={found[active] ? `${id}-${active}` : undefined}
        placeholder="Search agents and models…"
        value={query}
        className={cx(CONTROL, 'min-h-9 text-sm')}
        onChange={({ target }) => {
          setQuery(target.value);
          setActive(0);
        }}
        onKeyDown={handleKey}
      />
      <ul
        ref={list}
        id={id}
        role="listbox"
        aria-label="Who answers"
        className="max-h-64 overflow-y-auto"
      >
        {found.map((option, at) => (
          <li
            key={option.slug}
            id={`${id}-${at}`}
            role="option"
            aria-selected={option.slug === value}
            onPointerMove={() => setActive(at)}
            // Focus stays in the search, so that the list stays open until the click.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onChoose(option.slug)}
            className={cx(
              'flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-2 text-sm',
              at === active && 'bg-hover',
            )}
          >
            <span className="size-4 shrink-0">
              {option.slug === value && <Check aria-hidden className="size-4 text-accent" />}
            </span>
            <bdi className="min-w-0 wrap-anywhere">{option.name}</bdi>
            <span className="ml-auto min-w-0 shrink truncate pl-3 text-xs text-muted">
              {option.details}
            </span>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p role="status" className="px-2 py-1.5 text-sm text-muted">
          No agent or model is called that.
        </p>
      )}
    </div>
  );
}
