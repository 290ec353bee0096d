import type { Message } from '@atrium/sdk';
import { SmilePlus } from 'lucide-react';
import { useMemo } from 'react';
import { useUsedEmoji } from '../../../data/device/used-emoji.ts';
import { EmojiButton } from '../../../shared/emoji/emoji-button.tsx';
import { useEmojiNames } from '../../../shared/emoji/emoji-list.ts';
import { usualEmoji } from '../../../shared/emoji/usual-emoji.ts';
import { cx } from '../../../ui/text/cx.ts';
import { useMessageActions } from '../use-message-actions.ts';

interface PickerProps {
  message: Message;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** All emoji, of which the person's own reactions are marked. */
export function ReactionPicker({ message, isOpen, onOpenChange }: PickerProps) {
  const { toggleReaction } = useMessageActions();
  return (
    <EmojiButton
      label="Add reaction"
      icon={SmilePlus}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      chosen={useOwnReactions(message)}
      onChoose={(text) => toggleReaction(message, text)}
    />
  );
}

const QUICK = 3;

/** One click for what the person uses most. */
export function QuickReactions({ message }: { message: Message }) {
  const { toggleReaction } = useMessageActions();
  const { recent, noteUsed } = useUsedEmoji();
  const nameOf = useEmojiNames(true);
  const own = useOwnReactions(message);
  return usualEmoji(recent, QUICK)
    .slice(0, QUICK)
    .map((text) => {
      const label = `React with ${nameOf(text)}`;
      return (
        <button
          key={text}
          type="button"
          aria-label={label}
          aria-pressed={own.has(text)}
          data-tooltip={label}
          className={cx(
            'inline-flex size-9 shrink-0 items-center justify-center rounded-md text-lg leading-none hover:bg-hover sm:size-8',
            own.has(text) && 'bg-accent-soft',
          )}
          onClick={() => {
            noteUsed(text);
            toggleReaction(message, text);
          }}
        >
          <span aria-hidden className="font-emoji">
            {text}
          </span>
        </button>
      );
    });
}

function useOwnReactions({ reactions }: Message): ReadonlySet<string> {
  const { userId } = useMessageActions();
  return useMemo(() => {
    const own = reactions.filter(({ userIds }) => userIds.includes(userId));
    return new Set(own.map(({ emoji }) => emoji));
  }, [reactions, userId]);
}
