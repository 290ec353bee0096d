import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';

interface PagerProps<Item> {
  /** What the pages are of, for screen readers: "Ledger pages". */
  label: string;
  of: { data: { items: Item[]; total: number } | undefined; isPlaceholderData: boolean };
  page: number;
  limit: number;
  onPage: (page: number) => void;
  children: (items: Item[]) => ReactNode;
}

/** A page of a list, unless that is empty. Says which part it is and moves to the next or previous one. */
export function Pager<Item>({ label, of, page, limit, onPage, children }: PagerProps<Item>) {
  if (!of.data || of.data.total === 0) return null;
  const { items, total } = of.data;
  const last = Math.ceil(total / limit);
  const from = Math.min(total, (page - 1) * limit + 1);
  const to = Math.min(total, page * limit);
  return (
    <>
      <div aria-busy={of.isPlaceholderData}>{children(items)}</div>
      <nav aria-label={label} className="flex flex-wrap items-center justify-between gap-2">
        <p role="status" className="text-sm text-muted tabular-nums">
          {from}–{to} of {total.toLocaleString()}
        </p>
        {last > 1 && (
          <div className="flex gap-2">
            <Turn isEnd={page <= 1} onTurn={() => onPage(page - 1)}>
              <ChevronLeft aria-hidden className="size-4" />
              Newer
            </Turn>
            <Turn isEnd={page >= last} onTurn={() => onPage(page + 1)}>
              Older
              <ChevronRight aria-hidden className="size-4" />
            </Turn>
          </div>
        )}
      </nav>
    </>
  );
}

interface TurnProps {
  isEnd: boolean;
  onTurn: () => void;
  children: ReactNode;
}

/** Does nothing at the end, but isn't disabled, because a disabled button would lose focus. */
function Turn({ isEnd, onTurn, children }: TurnProps) {
  return (
    <Button
      size="small"
      aria-disabled={isEnd}
      className="aria-disabled:cursor-not-allowed aria-disabled:opacity-60"
      onClick={() => !isEnd && onTurn()}
    >
      {children}
    </Button>
  );
}
