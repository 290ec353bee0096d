import { Ellipsis, SignalHigh, SignalLow, SignalMedium, TriangleAlert } from 'lucide-react';
import { cx } from '../../../ui/text/cx.ts';
import type { Priority } from '../task-words.ts';

const ICON = {
  URGENT: TriangleAlert,
  HIGH: SignalHigh,
  MEDIUM: SignalMedium,
  LOW: SignalLow,
  NONE: Ellipsis,
};

/** Decoration beside the priority's name. */
export function PriorityIcon({ priority }: { priority: Priority }) {
  const Icon = ICON[priority];
  const tone =
    priority === 'URGENT' ? 'text-danger' : priority === 'HIGH' ? 'text-warn' : 'text-muted';
  return <Icon aria-hidden className={cx('size-4 shrink-0', tone)} />;
}
