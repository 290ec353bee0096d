import { Link, type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { createContext, useCallback, useContext, type ReactNode } from 'react';
import { PartNotLoaded } from '../../data/parts.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { usePageTitle } from '../../ui/page.tsx';
import { useRetry } from '../../ui/use-retry.ts';

/** A page has one `main`, and the shell already provides it. */
export const InShell = createContext(false);

/** Shown in place of a screen that threw. The rest of the app keeps working. */
export function PageBroken({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const title = error instanceof PartNotLoaded ? 'Couldn’t load this page' : 'Something went wrong';
  usePageTitle(title);
  const showAgain = useCallback(() => {
    reset();
    void router.invalidate();
  }, [reset, router]);
  const retry = useRetry(error, showAgain);
  return (
    <Centre>
      <h1 className="text-xl font-semibold">{title}</h1>
      <ErrorNote error={error} onRetry={retry} />
    </Centre>
  );
}

export function NotFound() {
  usePageTitle('Page not found');
  return (
    <Centre>
      <h1 className="text-xl font-semibold">Page not found</h1>
      <p className="text-muted">The address may be mistyped, or the page no longer exists.</p>
      <Link to="/" className={buttonClass('primary')}>
        Go to projects
      </Link>
    </Centre>
  );
}

function Centre({ children }: { children: ReactNode }) {
  const Element = useContext(InShell) ? 'div' : 'main';
  return (
    <Element className="mx-auto flex w-full max-w-lg flex-col items-start gap-4 p-6">
      {children}
    </Element>
  );
}
