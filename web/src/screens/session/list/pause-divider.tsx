import { Clock } from '../../../ui/marks/time.tsx';
import type { PauseEdge } from './rows.ts';

/** What was written between the two is on one side only. */
export function PauseDivider({ at, isPause }: PauseEdge) {
  return (
    <p className="flex items-center gap-3 px-4 pt-2 pb-1 sm:px-6 text-xs text-muted">
      <span aria-hidden className="h-px flex-1 border-t border-dashed border-edge" />
      <span>
        Channel {isPause ? 'paused' : 'resumed'} at <Clock at={at} />
        {isPause && '. What follows stays here.'}
      </span>
      <span aria-hidden className="h-px flex-1 border-t border-dashed border-edge" />
    </p>
  );
}
