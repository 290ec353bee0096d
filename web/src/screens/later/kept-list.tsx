import type { ReactNode } from 'react';

/** The rows of one of the lists. */
export function KeptList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul
      aria-label={label}
      className="flex flex-col divide-y divide-line rounded-xl border border-line bg-surface"
    >
      {children}
    </ul>
  );
}

interface KeptRowProps {
  /** Where it is, or when. */
  above: ReactNode;
  below?: ReactNode;
  actions: ReactNode;
  /** A link, or plain text. The whole row follows a link. */
  children: ReactNode;
}

export function KeptRow({ above, below, actions, children }: KeptRowProps) {
  return (
    <li className="relative flex items-start gap-2 px-4 py-3 hover:bg-hover">
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="truncate text-note text-muted" dir="auto">
          {above}
        </p>
        {children}
        {below && <div className="text-note text-muted">{below}</div>}
      </div>
      <div className="relative flex shrink-0 gap-1">{actions}</div>
    </li>
  );
}

/** The text of a row, and of the link that covers it. */
export const ROW_TEXT = 'line-clamp-2 font-medium wrap-anywhere';
export const ROW_LINK = `${ROW_TEXT} after:absolute after:inset-0 after:content-['']`;
