import type { ReactNode } from 'react';
import { usePageTitle } from '../../ui/pages/page.tsx';
import { AtriumMark } from '../../ui/marks/atrium-mark.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';

/** The layout of the pages before the workspace: logo, one card, one heading. */
export function FrontPage({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-start gap-6 px-4 py-10 sm:justify-center">
      <p className="flex items-center justify-center gap-2.5 text-lg font-semibold">
        <AtriumMark className="size-8" />
        Atrium
      </p>
      <div className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-5 shadow-sm sm:p-7">
        <h1 className="text-xl font-semibold wrap-anywhere">{title}</h1>
        {children}
      </div>
    </main>
  );
}

interface FrontPageLoadingProps {
  title: string;
  /** If it can't be loaded, the page says why. */
  of?: { error: unknown; refetch: () => Promise<unknown> };
}

/** Keeps the card's space while something loads. */
export function FrontPageLoading({ title, of }: FrontPageLoadingProps) {
  if (of?.error) {
    return (
      <FrontPage title={title}>
        <ErrorNote error={of.error} onRetry={() => void of.refetch()} />
      </FrontPage>
    );
  }
  return (
    <FrontPage title={title}>
      <div role="status" className="flex flex-col gap-4">
        <span className="sr-only">Loading…</span>
        <Skeleton className="h-5 w-3/4" />
        <Skeleton className="h-10 w-full" />
        <Skeleton className="h-10 w-full" />
      </div>
    </FrontPage>
  );
}

/** For a button whose label contains a name or an address. */
export const LONG_LABEL = 'h-auto min-h-10 py-2 whitespace-normal wrap-anywhere';
