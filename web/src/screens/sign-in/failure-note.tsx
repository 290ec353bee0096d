import { ErrorNote } from '../../ui/states/error-note.tsx';
import { explainFailure } from './failures.ts';

export function FailureNote({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return <ErrorNote error={error} words={explainFailure(error)} />;
}
