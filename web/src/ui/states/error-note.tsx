import { AtriumError } from '@atrium/sdk';
import { TriangleAlert } from 'lucide-react';
import { PartNotLoaded } from '../../data/parts.ts';
import { Button } from '../controls/button.tsx';

interface ErrorNoteProps {
  error: unknown;
  /** What is said, if the caller knows better. */
  words?: string;
  onRetry?: () => void;
}

/** What went wrong, what to do, and the request's id, which finds the cause in the server's log. */
export function ErrorNote({ error, words = inWords(error), onRetry }: ErrorNoteProps) {
  const requestId = error instanceof AtriumError ? error.requestId : undefined;
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-md border border-danger bg-danger-soft p-3 text-sm text-ink"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
        <p className="wrap-anywhere">{words}</p>
        {requestId && <p className="text-xs text-muted">Request {requestId}</p>}
        {onRetry && (
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

const UNREACHABLE = 'Can’t reach the server. Check your connection and try again.';

export function inWords(error: unknown): string {
  if (error instanceof PartNotLoaded) return UNREACHABLE;
  if (!(error instanceof AtriumError))
    return 'Something went wrong on this page. Reload it and try again.';
  if (error.code === 'TIMEOUT') return 'The server didn’t respond in time. Try again.';
  if (error.status === undefined) return UNREACHABLE;
  if (error.status === 429) {
    return `Too many requests. Wait ${error.retryAfter ?? 60} seconds and try again.`;
  }
  return error.message;
}
