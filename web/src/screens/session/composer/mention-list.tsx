import { Bot, Plug, User } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { cx } from '../../../ui/text/cx.ts';
import type { Suggestion } from './mentions.ts';

const ICON = { agent: Bot, integration: Plug, person: User };

interface MentionListProps {
  id: string;
  suggestions: readonly Suggestion[];
  active: number;
  onActive: (at: number) => void;
  onChoose: (suggestion: Suggestion) => void;
}

/** Above the composer and as wide, so that it fits every screen and hides no text. */
export function MentionList({ id, suggestions, active, onActive, onChoose }: MentionListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <ul
      ref={list}
      id={id}
      role="listbox"
      aria-label="Mention suggestions"
      className="absolute inset-x-3 bottom-full z-30 sm:inset-x-4 max-h-[min(18rem,40dvh)] overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-xl"
    >
      {suggestions.map((suggestion, at) => (
        <Option
          key={suggestion.id}
          id={`${id}-${at}`}
          suggestion={suggestion}
          isActive={at === active}
          onActive={() => onActive(at)}
          onChoose={() => onChoose(suggestion)}
        />
      ))}
    </ul>
  );
}

interface OptionProps {
  id: string;
  suggestion: Suggestion;
  isActive: boolean;
  onActive: () => void;
  onChoose: () => void;
}

function Option({ id, suggestion, isActive, onActive, onChoose }: OptionProps) {
  const { kind, title, detail, refusal } = suggestion;
  const Icon = ICON[kind];
  return (
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      aria-disabled={refusal !== undefined}
      className={cx(
        'flex min-h-10 items-center gap-2 rounded-md px-2 py-1 text-sm',
        refusal === undefined ? 'cursor-pointer' : 'cursor-not-allowed text-muted',
        isActive && 'bg-hover outline-2 -outline-offset-2 outline-accent',
      )}
      onMouseMove={() => {
        if (!isActive && refusal === undefined) onActive();
      }}
      // Keeps focus in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <bdi className="max-w-full truncate font-medium">{title}</bdi>
        <span className="max-w-full truncate text-xs text-muted">{refusal ?? detail}</span>
      </span>
    </li>
  );
}
