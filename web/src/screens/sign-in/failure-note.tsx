import { AtriumError } from '@atrium/sdk';
import { ErrorNote, inWords } from '../../ui/states/error-note.tsx';

interface FailureNoteProps {
  error: Error | null;
  /** What the page itself says about some reasons. */
  reasons?: Record<string, string>;
}

/** Why signing in or a link failed, and what to do next. */
export function FailureNote({ error, reasons = {} }: FailureNoteProps) {
  if (error === null) return null;
  const own = error instanceof AtriumError ? reasons[error.reason ?? ''] : undefined;
  if (own === undefined) return <ErrorNote error={error} words={explainFailure(error)} />;
  return (
    <p role="alert" className="rounded-md border border-danger bg-danger-soft p-3 text-sm">
      {own}
    </p>
  );
}

function explainFailure(error: Error): string {
  if (!(error instanceof AtriumError)) return inWords(error);
  if (error.reason === 'link_used') {
    return 'This link was already used. Each link works once. Request a new one.';
  }
  if (error.reason === 'link_expired') {
    return 'This link has expired. Links work for 15 minutes. Request a new one.';
  }
  if (error.status === 404) {
    return 'This link isn’t valid. It may be incomplete or from another server. Request a new one.';
  }
  if (error.status === 429) {
    return `Too many attempts. Wait ${inUnits(error.retryAfter ?? 60)}, then try again.`;
  }
  return inWords(error);
}

/** Whether the person needs a new link. */
export function isDeadLink(error: unknown): boolean {
  return error instanceof AtriumError && (error.status === 404 || error.status === 409);
}

function inUnits(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  if (seconds < 2 * 60 * 60) return `${Math.ceil(seconds / 60)} minutes`;
  return `${Math.ceil(seconds / 3600)} hours`;
}
