import type { AuditEntry } from '@atrium/sdk';
import { usePeople } from '../../../data/queries.ts';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { Clock, Day } from '../../../ui/marks/time.tsx';
import { useOrgKeyNames } from './queries.ts';
import { actionInWords, actorInWords, thingInWords } from './audit-words.ts';

interface Row {
  entry: AuditEntry;
  what: string;
  /** The name of what was changed. */
  which: string | null;
  who: string;
  how: string;
}

export function AuditList({ entries }: { entries: readonly AuditEntry[] }) {
  const personOf = usePeople();
  const orgKeyOf = useOrgKeyNames();
  const rows = entries.map((entry): Row => {
    const actor = actorInWords(entry, { personOf, orgKeyOf });
    return { entry, what: actionInWords(entry.action), which: entry.resourceName, ...actor };
  });
  return (
    <ol className="flex flex-col divide-y divide-line">
      {rows.map((row) => (
        <Entry key={row.entry.id} row={row} />
      ))}
    </ol>
  );
}

function Entry({ row: { entry, what, which, who, how } }: { row: Row }) {
  return (
    <li className="flex flex-col gap-0.5 py-2.5">
      <div className="flex items-baseline justify-between gap-3">
        <p className="text-sm wrap-anywhere">
          <span className="font-medium">{what}</span>
          {which && (
            <>
              : <bdi>{which}</bdi>
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
