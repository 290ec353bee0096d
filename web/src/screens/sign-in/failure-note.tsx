import { AtriumError } from '@atrium/sdk';
import { TriangleAlert } from 'lucide-react';
import { explainFailure } from './failures.ts';

export function FailureNote({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  const requestId = error instanceof AtriumError ? error.requestId : undefined;
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-md border border-danger bg-danger-soft p-3 text-sm"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="wrap-anywhere">{explainFailure(error)}</p>
        {requestId && <p className="text-xs text-muted wrap-anywhere">Request {requestId}</p>}
      </div>
    </div>
  );
}
