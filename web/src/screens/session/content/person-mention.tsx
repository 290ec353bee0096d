import { useEffect } from 'react';
import { cardsNeeded } from '../../../shared/person/cards-needed.ts';
import { cx } from '../../../ui/text/cx.ts';
import { ROLE_NAMES } from '../../../shared/roles.ts';
import { useMessageActions } from '../use-message-actions.ts';
import { MENTION } from './inline-view.tsx';

/** A mention of a person. The card about them is shown by `PersonCardLayer`, and described here in words. */
export function PersonMention({ text, userId }: { text: string; userId: string }) {
  const actions = useMessageActions();
  useEffect(() => cardsNeeded.setState(true), []);
  const { name, role } = actions.person(userId);
  const isMe = userId === actions.userId;
  const about = [isMe ? 'You' : name, role && ROLE_NAMES[role]].filter(Boolean).join(', ');
  return (
    <button
      type="button"
      data-person={userId}
      aria-haspopup="dialog"
      aria-description={about}
      className={cx(
        isMe ? 'rounded bg-accent-strong px-0.5 font-semibold text-on-accent' : MENTION,
        'select-text wrap-anywhere hover:underline',
      )}
    >
      {text}
    </button>
  );
}
