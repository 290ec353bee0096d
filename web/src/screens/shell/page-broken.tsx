import { Link, type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { createContext, useContext, type ReactNode } from 'react';
import { buttonClass } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { usePageTitle } from '../../ui/page.tsx';

/** A page has one `main`; inside the shell it is there already. */
export const InShell = createContext(false);

/** A screen that threw. The rest of the app goes on. */
export function PageBroken({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  usePageTitle('This page broke');
  return (
    <Centre>
      <h1 className="text-xl font-semibold">This page broke</h1>
      <ErrorNote
        error={error}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </Centre>
  );
}

export function NotFound() {
  usePageTitle('Nothing here');
  return (
    <Centre>
      <h1 className="text-xl font-semibold">Nothing is here</h1>
      <p className="text-muted">The address may be mistyped, or what it named is gone.</p>
      <Link to="/" className={buttonClass('primary')}>
        Go to your Projects
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
