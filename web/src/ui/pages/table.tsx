import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../text/cx.ts';

interface TableProps {
  /** Says what the table contains. */
  caption: string;
  isCaptionHidden?: boolean;
  head: ReactNode;
  foot?: ReactNode;
  children: ReactNode;
}

/** A real table. If it is wider than the page, it scrolls on its own, by keyboard too. */
export function Table({ caption, isCaptionHidden = false, head, foot, children }: TableProps) {
  return (
    <div className="flex flex-col gap-2">
      {/* Outside the scrolling part, so that it can be read in full. */}
      {!isCaptionHidden && (
        <p aria-hidden className="text-sm text-muted">
          {caption}
        </p>
      )}
      <div role="region" aria-label={caption} tabIndex={0} className="overflow-x-auto rounded-md">
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-b border-line">{head}</tr>
          </thead>
          <tbody className="divide-y divide-line">{children}</tbody>
          {foot && <tfoot className="border-t-2 border-line font-semibold">{foot}</tfoot>}
        </table>
      </div>
    </div>
  );
}

export function HeadCell({ className, ...rest }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={cx(
        'px-2 py-2 text-left text-note font-medium text-muted first:pl-0 last:pr-0',
        className,
      )}
      {...rest}
    />
  );
}

/** The cell that names its row. */
export function RowHead({ className, ...rest }: ComponentProps<'th'>) {
  return (
    <th
      scope="row"
      className={cx('px-2 py-2 text-left align-top font-normal first:pl-0 last:pr-0', className)}
      {...rest}
    />
  );
}

export function Cell({ className, ...rest }: ComponentProps<'td'>) {
  return <td className={cx('px-2 py-2 align-top first:pl-0 last:pr-0', className)} {...rest} />;
}

/** For numbers, aligned with those above and below. */
export const NUMBER = 'text-right tabular-nums';
