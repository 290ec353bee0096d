import {
  Circle,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleEllipsis,
  CircleX,
} from 'lucide-react';
import { STATUS, type Status } from './statuses.ts';

const ICON = {
  PROPOSED: CircleDashed,
  TODO: Circle,
  IN_PROGRESS: CircleEllipsis,
  IN_REVIEW: CircleDot,
  DONE: CircleCheck,
  CANCELLED: CircleX,
};

export function StatusIcon({ status }: { status: Status }) {
  const Icon = ICON[status];
  return <Icon role="img" aria-label={STATUS[status]} className="size-4 shrink-0 text-muted" />;
}
