import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { Skeleton } from '../../../ui/states/skeleton.tsx';
import { Spinner } from '../../../ui/states/spinner.tsx';

interface ListEndProps {
  hasMore: boolean;
  error: unknown;
  onRetry: () => void;
  /** Shown when there is nothing more. */
  children?: ReactNode;
}

/** Above the first and below the last message: more is loading, couldn't be loaded, or there is no more. */
export function ListEnd({ hasMore, error, onRetry, children }: ListEndProps) {
  if (!hasMore) return children;
  if (error === undefined) return <Spinner label="Loading messages…" />;
  return (
    <p role="alert" className="flex items-center gap-2 text-sm text-danger">
      Couldn’t load more messages.
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}

const WIDTHS = ['w-2/3', 'w-1/2', 'w-5/6', 'w-1/3', 'w-3/4', 'w-1/2'];

/** Reserves space for the first messages. */
export function ListSkeleton() {
  return (
    <div role="status" className="flex flex-1 flex-col justify-end gap-5 overflow-hidden p-4">
      <span className="sr-only">Loading messages…</span>
      {WIDTHS.map((width, at) => (
        <div key={at} className="flex gap-3">
          <Skeleton className="size-8 shrink-0 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-3.5 w-32" />
            <Skeleton className={`h-4 ${width}`} />
          </div>
        </div>
      ))}
    </div>
  );
}
