import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { createContext, useCallback, useContext, type ReactNode } from 'react';
import { PartNotLoaded } from '../../data/parts.ts';
import { ErrorNote } from '../states/error-note.tsx';
import { usePageTitle } from './page.tsx';
import { useRetry } from '../states/use-retry.ts';
import { LinkButton } from '../controls/link-button.tsx';

/** A page has one `main`, and the shell already provides it. */
export const InShell = createContext(false);

/** Shown in place of a screen that threw. The rest of the app keeps working. */
export function PageBroken({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const title = error instanceof PartNotLoaded ? 'Couldn’t load this page' : 'Something went wrong';
  const showAgain = useCallback(() => {
    reset();
    void router.invalidate();
  }, [reset, router]);
  const retry = useRetry(error, showAgain);
  return (
    <NoticePage title={title}>
      <ErrorNote error={error} onRetry={retry} />
    </NoticePage>
  );
}

export function NotFound() {
  return (
    <NoticePage title="Page not found">
      <p className="text-muted">The address may be mistyped, or the page no longer exists.</p>
      <LinkButton look="primary" to="/">
        Go to projects
      </LinkButton>
    </NoticePage>
  );
}

/** In the place of a page that can't be shown: why, and where to go. */
export function NoticePage({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  const Element = useContext(InShell) ? 'div' : 'main';
  return (
    <Element className="mx-auto flex w-full max-w-lg flex-col items-start gap-4 p-6">
      <h1 className="text-xl font-semibold">{title}</h1>
      {children}
    </Element>
  );
}
