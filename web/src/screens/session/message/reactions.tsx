import type { Message } from '@atrium/sdk';
import { SmilePlus } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useRef, type KeyboardEvent } from 'react';
import { IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { EMOJIS, useMessageActions, type Emoji } from '../actions.tsx';

const NAMES = new Intl.ListFormat(undefined, { type: 'conjunction' });

interface ChipsProps {
  message: Message;
  /** Opens the picker. */
  onAdd: () => void;
}

/** A message's reactions. Pressing one adds or removes the person's own. */
export function ReactionChips({ message, onAdd }: ChipsProps) {
  const { toggleReaction, canWrite, userId, person } = useMessageActions();
  if (message.reactions.length === 0) return null;
  return (
    <ul className="mt-1 flex flex-wrap gap-1">
      {message.reactions.map(({ emoji, count, userIds }) => {
        const isMine = userIds.includes(userId);
        const names = userIds.map((id) => (id === userId ? 'you' : person(id).name));
        const who = `${NAMES.format(names)} reacted with ${EMOJIS[emoji as Emoji] ?? emoji}`;
        return (
          <li key={emoji}>
            <Tooltip text={who}>
              <button
                type="button"
                aria-pressed={isMine}
                aria-label={who}
                disabled={!canWrite}
                onClick={() => toggleReaction(message, emoji)}
                className={cx(
                  'inline-flex min-h-7 items-center gap-1 rounded-full border px-2 text-note',
                  isMine
                    ? 'border-accent bg-accent-soft font-semibold text-accent'
                    : 'border-line bg-hover text-ink enabled:hover:border-edge',
                )}
              >
                <span aria-hidden>{emoji}</span>
                <span aria-hidden>{count}</span>
              </button>
            </Tooltip>
          </li>
        );
      })}
      {canWrite && (
        <li>
          <Tooltip text="Add another reaction">
            <button
              type="button"
              aria-label="Add another reaction"
              className="inline-flex min-h-7 items-center rounded-full border border-line px-2 text-muted hover:border-edge print:hidden"
              onClick={onAdd}
            >
              <SmilePlus aria-hidden className="size-4" />
            </button>
          </Tooltip>
        </li>
      )}
    </ul>
  );
}

const COLUMNS = 3;
const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -COLUMNS,
  ArrowDown: COLUMNS,
};

interface PickerProps {
  message: Message;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** The reactions there are, with their names, in rows of three. */
export function ReactionPicker({ message, isOpen, onOpenChange }: PickerProps) {
  const { toggleReaction, userId } = useMessageActions();
  const grid = useRef<HTMLDivElement>(null);
  function moveFocus(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (step === undefined || !grid.current) return;
    const buttons = [...grid.current.querySelectorAll('button')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons.at((at + step) % buttons.length)?.focus();
    event.preventDefault();
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger asChild>
        <IconButton label="Add reaction" icon={<SmilePlus aria-hidden className="size-4" />} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label="Add reaction"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-40 rounded-lg border border-line bg-raised p-1 shadow-xl"
        >
          <div
            ref={grid}
            role="group"
            aria-label="Reactions"
            onKeyDown={moveFocus}
            className="grid grid-cols-3"
          >
            {Object.entries(EMOJIS).map(([emoji, name]) => {
              const isMine = message.reactions.some(
                (reaction) => reaction.emoji === emoji && reaction.userIds.includes(userId),
              );
              return (
                <button
                  key={emoji}
                  type="button"
                  aria-label={name}
                  aria-pressed={isMine}
                  className={cx(
                    'flex min-h-14 w-22 flex-col items-center justify-center rounded-md px-1 hover:bg-hover',
                    isMine && 'bg-accent-soft',
                  )}
                  onClick={() => {
                    toggleReaction(message, emoji);
                    onOpenChange(false);
                  }}
                >
                  <span className="text-xl leading-tight">{emoji}</span>
                  <span className="text-xs text-muted">{name}</span>
                </button>
              );
            })}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
