import type { ReactNode } from 'react';
import { cx } from '../text/cx.ts';

const TONE = {
  plain: 'bg-hover text-ink',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
};

export function Badge({
  tone = 'plain',
  children,
}: {
  tone?: keyof typeof TONE;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        'inline-flex max-w-full items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium wrap-anywhere',
        TONE[tone],
      )}
    >
      {children}
    </span>
  );
}
