import type { AuditEntry } from '@atrium/sdk';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Clock, Day } from '../../../ui/marks/time.tsx';
import { useActorInWords } from './queries.ts';
import { actionInWords, thingInWords } from './audit-words.ts';

export function AuditList({ entries }: { entries: readonly AuditEntry[] }) {
  const actorInWords = useActorInWords();
  return (
    <ol className="flex flex-col divide-y divide-line">
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} {...actorInWords(entry)} />
      ))}
    </ol>
  );
}

function Entry({ entry, who, how }: { entry: AuditEntry; who: string; how: string }) {
  const what = actionInWords(entry.action);
  return (
    <li className="flex flex-col gap-0.5 py-2.5">
      <div className="flex items-baseline justify-between gap-3">
        <p className="text-sm wrap-anywhere">
          <span className="font-medium">{what}</span>
          {entry.resourceName && (
            <>
              : <bdi>{entry.resourceName}</bdi>
            </>
          )}
        </p>
        <p className="shrink-0 text-note text-muted">
          <Day at={entry.createdAt} /> <Clock at={entry.createdAt} />
        </p>
      </div>
      <p className="text-note text-muted wrap-anywhere">
        <bdi className="text-ink">{who}</bdi> {how}
      </p>
      <details className="text-note">
        <summary className="inline-flex min-h-6 w-fit items-center text-accent underline">
          Details<span className="sr-only"> of “{what}”</span>
        </summary>
        <EntryDetails entry={entry} />
      </details>
    </li>
  );
}

function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { action, resourceType, resourceId, keyId, requestId, details, createdAt } = entry;
  return (
    <div className="mt-2 flex flex-col gap-2 rounded-md bg-ground p-3">
      <dl className="grid grid-cols-1 gap-x-4 sm:grid-cols-[8rem_1fr] [&>dd]:mb-1 [&>dd]:wrap-anywhere [&>dt]:text-muted">
        <dt>Action</dt>
        <dd>
          <code>{action}</code>
        </dd>
        <dt>{thingInWords(resourceType)}</dt>
        <dd>{resourceId ? <code>{resourceId}</code> : 'Not yours to read'}</dd>
        {keyId && (
          <>
            <dt>Key</dt>
            <dd>
              <code>{keyId}</code>
            </dd>
          </>
        )}
        <dt>Request</dt>
        <dd className="flex flex-wrap items-center gap-2">
          <code>{requestId}</code>
          <CopyButton text={requestId} label="Copy request ID" />
        </dd>
        <dt>Time</dt>
        <dd>{createdAt}</dd>
      </dl>
      {Object.keys(details).length > 0 && (
        <pre className="whitespace-pre-wrap wrap-anywhere">
          <code>{JSON.stringify(details, null, 2)}</code>
        </pre>
      )}
    </div>
  );
}
