import { CatchBoundary } from '@tanstack/react-router';
import { Suspense } from 'react';
import { lazyPart, type PropsOf } from '../../data/parts.ts';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from '../states/error-note.tsx';
import { useRetry } from '../states/use-retry.ts';

/** A dialog, or something else that can be closed. If it can't be loaded, a dialog says so in its place. */
export function closablePart<Name extends string, File extends Record<Name, unknown>>(
  load: () => Promise<File>,
  name: Name,
) {
  const Part = lazyPart(load, name);
  const Bounded = (props: PropsOf<File[Name]> & Pick<FailedProps, 'onClose'>) => (
    <CatchBoundary
      getResetKey={() => 'same'}
      errorComponent={({ error, reset }) => (
        <Failed {...{ error, reset }} onClose={props.onClose} />
      )}
    >
      <Suspense>
        <Part {...props} />
      </Suspense>
    </CatchBoundary>
  );
  return Object.assign(Bounded, { preload: Part.preload });
}

/** A part that people can do without. If it can't be loaded, it is not there. */
export function quietPart<Name extends string, File extends Record<Name, unknown>>(
  load: () => Promise<File>,
  name: Name,
) {
  const Part = lazyPart(load, name);
  return (props: PropsOf<File[Name]>) => (
    <CatchBoundary getResetKey={() => 'same'} errorComponent={() => null}>
      <Suspense>
        <Part {...props} />
      </Suspense>
    </CatchBoundary>
  );
}

interface FailedProps {
  error: unknown;
  reset: () => void;
  onClose: () => void;
}

function Failed({ error, reset, onClose }: FailedProps) {
  const retry = useRetry(error, reset);
  return (
    <Dialog title="Something went wrong" onClose={onClose}>
      <ErrorNote error={error} onRetry={retry} />
    </Dialog>
  );
}
