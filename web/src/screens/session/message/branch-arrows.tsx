import type { Message } from '@atrium/sdk';
import { ChevronLeft, ChevronRight, type LucideIcon } from 'lucide-react';
import { useMessageActions } from '../use-message-actions.ts';
import { stepOf } from './branch-step.ts';

/** Goes through the versions of a question that was asked again, with what followed each. */
export function BranchArrows({ message }: { message: Message }) {
  const { showBranch, canAskAgain } = useMessageActions();
  const { branches } = message;
  const at = branches.findIndex(({ active }) => active);
  if (!canAskAgain(message)) return null;
  const isAnswering = message.pendingReplies.length > 0;
  return (
    <div
      role="group"
      aria-label="Versions of this question"
      className="-ml-1.5 flex items-center gap-0.5"
    >
      <Arrow
        label="Previous version"
        icon={ChevronLeft}
        isOff={isAnswering || at <= 0}
        onClick={() => showBranch(stepOf(message, -1))}
      />
      <span className="text-xs text-muted tabular-nums">
        {at + 1} of {branches.length}
      </span>
      <Arrow
        label="Next version"
        icon={ChevronRight}
        isOff={isAnswering || at >= branches.length - 1}
        onClick={() => showBranch(stepOf(message, 1))}
      />
    </div>
  );
}

interface ArrowProps {
  label: string;
  icon: LucideIcon;
  isOff: boolean;
  onClick: () => void;
}

function Arrow({ label, icon: Icon, isOff, onClick }: ArrowProps) {
  return (
    <button
      type="button"
      aria-label={label}
      data-tooltip={label}
      disabled={isOff}
      className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover disabled:opacity-40 sm:size-6"
      onClick={onClick}
    >
      <Icon aria-hidden className="size-4 rtl:-scale-x-100" />
    </button>
  );
}
