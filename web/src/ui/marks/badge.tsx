import type { ReactNode } from 'react';
import { cx } from '../text/cx.ts';
import { hueStyle } from './generated.ts';

const TONE = {
  plain: 'bg-hover text-ink',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
};

interface BadgeProps {
  tone?: keyof typeof TONE;
  children: ReactNode;
}

const SHAPE =
  'inline-flex max-w-full items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium wrap-anywhere';

/** Says that the author is an agent, in its hue. */
export function AgentBadge({ slug }: { slug: string | null }) {
  return (
    <span style={hueStyle(slug ?? '')} className={cx(SHAPE, 'agent-hue')}>
      Agent
    </span>
  );
}

export function Badge({ tone = 'plain', children }: BadgeProps) {
  return <span className={cx(SHAPE, TONE[tone])}>{children}</span>;
}
