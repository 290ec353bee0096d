import type { Message } from '@atrium/sdk';
import { SmilePlus } from 'lucide-react';
import { useEmojiNames } from '../../../shared/emoji/emoji-list.ts';
import { cx } from '../../../ui/text/cx.ts';
import { useSession } from '../session-context.ts';
import { useMessageActions } from '../use-message-actions.ts';

const NAMES = new Intl.ListFormat(undefined, { type: 'conjunction' });

interface ChipsProps {
  message: Message;
  /** Opens the picker. */
  onAdd: () => void;
}

/** A message's reactions. Pressing one adds or removes the person's own. */
export function ReactionChips({ message, onAdd }: ChipsProps) {
  const { canWrite } = useSession();
  const { toggleReaction, userId, person } = useMessageActions();
  const nameOf = useEmojiNames(message.reactions.length > 0);
  if (message.reactions.length === 0) return null;
  return (
    <ul className="mt-1 flex flex-wrap gap-1">
      {message.reactions.map(({ emoji, count, userIds }) => {
        const isMine = userIds.includes(userId);
        const names = userIds.map((id) => (id === userId ? 'you' : person(id).name));
        // The rest reacted in a chat channel.
        const others = count - userIds.length;
        if (others > 0) names.push(`${others} in the channel`);
        const who = `${NAMES.format(names)} reacted with ${nameOf(emoji)}`;
        return (
          <li key={emoji}>
            <button
              type="button"
              aria-pressed={isMine}
              aria-label={who}
              data-tooltip={who}
              disabled={!canWrite}
              onClick={() => toggleReaction(message, emoji)}
              className={cx(
                'inline-flex min-h-7 items-center gap-1 rounded-full border px-2 text-note',
                isMine
                  ? 'border-accent bg-accent-soft font-semibold text-accent'
                  : 'border-line bg-hover text-ink enabled:hover:border-edge',
              )}
            >
              <span aria-hidden className="font-emoji">
                {emoji}
              </span>
              <span aria-hidden>{count}</span>
            </button>
          </li>
        );
      })}
      {canWrite && (
        <li>
          <button
            type="button"
            aria-label="Add another reaction"
            data-tooltip="Add another reaction"
            className="inline-flex min-h-7 items-center rounded-full border border-line px-2 text-muted hover:border-edge print:hidden"
            onClick={onAdd}
          >
            <SmilePlus aria-hidden className="size-4" />
          </button>
        </li>
      )}
    </ul>
  );
}
