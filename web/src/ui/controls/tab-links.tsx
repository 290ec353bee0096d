import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../text/cx.ts';

/** The look of a tab, for those that are links and those that only change what is below them. */
export const TAB =
  'inline-flex min-h-9 shrink-0 items-center gap-2 border-b-2 border-transparent px-1 text-sm font-medium text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink aria-selected:border-accent aria-selected:text-ink';
export const TAB_ROW = 'flex gap-4 overflow-x-auto border-b border-line';

/** The views of one thing, each with its own address. The current one is marked for everyone. */
export function TabLinks({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className={TAB_ROW}>
      {children}
    </nav>
  );
}

function Anchor({ className, children, ...rest }: ComponentProps<'a'>) {
  return (
    <a {...rest} className={cx(TAB, className)}>
      {children}
    </a>
  );
}

/** The router says which one is current, with `aria-current`. */
export const TabLink = createLink(Anchor);
