import { AtriumMark } from '../ui/marks/atrium-mark.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { PAGE } from '../ui/pages/page-edge.ts';

/** The frame's outline until the profile is loaded, so that nothing jumps. */
export function FrameLoading() {
  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <div className="hidden w-68 shrink-0 flex-col gap-3 border-r border-line bg-surface p-3 md:flex">
        <Skeleton className="h-11 w-full" />
        <Skeleton className="h-9 w-full" />
        <Skeleton className="mt-3 h-5 w-2/3" />
        <Skeleton className="h-5 w-1/2" />
        <Skeleton className="h-5 w-3/5" />
      </div>
      <div className="flex h-13 shrink-0 items-center gap-2 border-b border-line bg-surface px-3 md:hidden">
        <AtriumMark />
      </div>
      <main className="min-w-0 flex-1">
        <ScreenLoading />
      </main>
    </div>
  );
}

/** A screen whose code or data is still loading. */
export function ScreenLoading() {
  return (
    <div className={PAGE}>
      <span role="status" className="sr-only">
        Loading…
      </span>
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-32 w-full" />
    </div>
  );
}
