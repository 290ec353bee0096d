import { AtriumError } from '@atrium/sdk';
import { TriangleAlert } from 'lucide-react';
import { PartNotLoaded } from '../data/parts.ts';
import { Button } from './button.tsx';
import { toSentence } from './sentence.ts';

/** What went wrong, what to do, and the request's id, which finds the cause in the server's log. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const requestId = error instanceof AtriumError ? error.requestId : undefined;
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-md border border-danger bg-danger-soft p-3 text-sm text-ink"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-1">
        <p className="wrap-anywhere">{inWords(error)}</p>
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

/** The API's message for each invalid field of a form, by the field's name in the body. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof AtriumError) || error.code !== 'VALIDATION_ERROR') return {};
  const { errors } = error.details as { errors?: { location: string; message: string }[] };
  return Object.fromEntries(
    (errors ?? []).map(({ location, message }) => [
      location.replace(/^body\.?/, '').replace(/[.[].*$/, ''),
      toSentence(message),
    ]),
  );
}
