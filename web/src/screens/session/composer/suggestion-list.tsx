import { Bot, Megaphone, Plug, SquareSlash, User } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { makeRoom } from '../../../ui/layers/toast.tsx';
import { cx } from '../../../ui/text/cx.ts';

const ICONS = {
  agent: Bot,
  integration: Plug,
  person: User,
  group: Megaphone,
  command: SquareSlash,
};

/** One line of a list: somebody to mention, an emoji, or a command. */
export interface Suggested {
  id: string;
  kind: keyof typeof ICONS | 'emoji';
  title: string;
  detail: string;
  /** An emoji's own picture. */
  mark?: string;
  /** What follows a command. */
  args?: string;
  /** Why it can't be chosen. */
  refusal?: string;
}

interface SuggestionListProps<Suggestion> {
  id: string;
  label: string;
  suggestions: readonly Suggestion[];
  active: number;
  onActive: (at: number) => void;
  onChoose: (suggestion: Suggestion) => void;
}

/**
 * What can be inserted at the caret. Above the composer and as wide, so that it fits every screen and hides no text.
 * Focus stays in the text, which names the active option.
 */
export function SuggestionList<Suggestion extends Suggested>({
  id,
  label,
  suggestions,
  active,
  onActive,
  onChoose,
}: SuggestionListProps<Suggestion>) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  // Notes move out of its way.
  const { length } = suggestions;
  useLayoutEffect(() => {
    makeRoom();
    return makeRoom;
  }, [length]);
  return (
    <ul
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      className="absolute inset-x-3 bottom-full z-30 max-h-[min(18rem,40dvh)] overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-xl sm:inset-x-4"
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
  suggestion: Suggested;
  isActive: boolean;
  onActive: () => void;
  onChoose: () => void;
}

function Option({ id, suggestion, isActive, onActive, onChoose }: OptionProps) {
  const { title, args, detail, refusal } = suggestion;
  return (
    <li
      id={id}
      role="option"
      aria-selected={isActive}
      aria-disabled={refusal !== undefined}
      className={cx(
        'flex min-h-8 items-center gap-2 rounded-md px-2 py-1 text-sm pointer-coarse:min-h-10',
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
      <Mark suggestion={suggestion} />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <span className="flex max-w-full min-w-0 items-baseline gap-x-1.5">
          <bdi className="truncate font-medium">{title}</bdi>
          {args && <span className="truncate text-muted">{args}</span>}
        </span>
        <span className="max-w-full truncate text-xs text-muted">{refusal ?? detail}</span>
      </span>
    </li>
  );
}

function Mark({ suggestion: { kind, mark } }: { suggestion: Suggested }) {
  if (kind === 'emoji') {
    return (
      <span aria-hidden className="font-emoji text-xl leading-none">
        {mark}
      </span>
    );
  }
  const Icon = ICONS[kind];
  return <Icon aria-hidden className="size-4 shrink-0 text-muted" />;
}
