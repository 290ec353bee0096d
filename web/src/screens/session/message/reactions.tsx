import type { Message } from '@atrium/sdk';
import { SmilePlus } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useRef, type KeyboardEvent } from 'react';
import { IconButton } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Tooltip } from '../../../ui/tooltip.tsx';
import { EMOJIS, useMessageActions, type Emoji } from '../actions.tsx';

const NAMES = new Intl.ListFormat(undefined, { type: 'conjunction' });

/** A message's reactions. Pressing one adds or removes the person's own. */
export function ReactionChips({ message }: { message: Message }) {
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
    </ul>
  );
}

interface PickerProps {
  message: Message;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

export function ReactionPicker({ message, isOpen, onOpenChange }: PickerProps) {
  const { toggleReaction, userId } = useMessageActions();
  const row = useRef<HTMLDivElement>(null);
  function moveFocus(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || !row.current) return;
    const buttons = [...row.current.querySelectorAll('button')];
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
            ref={row}
            role="group"
            aria-label="Reactions"
            onKeyDown={moveFocus}
            className="flex flex-wrap"
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
                    'inline-flex size-9 items-center justify-center rounded-md text-lg hover:bg-hover',
                    isMine && 'bg-accent-soft',
                  )}
                  onClick={() => {
                    toggleReaction(message, emoji);
                    onOpenChange(false);
                  }}
                >
                  {emoji}
                </button>
              );
            })}
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
