import { cx } from '../text/cx.ts';

/** Reserves the space of something that is loading, so that nothing jumps when it arrives. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden
      className={cx('animate-pulse rounded-md bg-hover', className ?? 'h-4 w-full')}
    />
  );
}

export function SkeletonList({ rows = 4, label = 'Loading…' }: { rows?: number; label?: string }) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, at) => (
        <Skeleton key={at} className="h-20 w-full sm:h-14" />
      ))}
    </div>
  );
}
