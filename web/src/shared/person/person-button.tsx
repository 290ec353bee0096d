import { useEffect, type ReactNode } from 'react';
import { cx } from '../../ui/text/cx.ts';
import { cardsNeeded } from './cards-needed.ts';

interface PersonButtonProps {
  userId: string;
  /** If it contains no name. */
  label?: string;
  tabIndex?: number;
  className?: string;
  children: ReactNode;
}

/** Somebody's name or photo. Pointing at it shows the card about them, and pressing it opens the card. */
export function PersonButton({ userId, label, className, ...rest }: PersonButtonProps) {
  useEffect(() => cardsNeeded.setState(true), []);
  return (
    <button
      type="button"
      data-person={userId}
      aria-haspopup="dialog"
      aria-label={label}
      className={cx('cursor-pointer text-left', className)}
      {...rest}
    />
  );
}

/** Inside a link or a card that is pressed as a whole: the card about the person only follows the pointer. */
export function PersonSpot({ userId, children }: { userId: string; children: ReactNode }) {
  useEffect(() => cardsNeeded.setState(true), []);
  return (
    <span data-person={userId} className="inline-flex">
      {children}
    </span>
  );
}
