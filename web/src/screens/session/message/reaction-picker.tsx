import type { Message } from '@atrium/sdk';
import { SmilePlus } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useRef, type KeyboardEvent } from 'react';
import { IconButton } from '../../../ui/controls/button.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { EMOJIS, useMessageActions } from '../actions.tsx';

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
        <IconButton label="Add reaction" icon={SmilePlus} />
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
