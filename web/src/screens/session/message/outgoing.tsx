import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { usePeople } from '../../../data/queries.ts';
import { isStuck, places } from '../../../data/uploads/upload.ts';
import { retryUpload, useUploadsAt } from '../../../data/uploads/uploads.ts';
import { useOwner, useWorkspace } from '../../../data/workspace.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { quietPart } from '../../../ui/layers/part-boundary.tsx';
import type { Outbox, OutboxItem } from '../composer/outbox.ts';

const OutgoingFiles = quietPart(() => import('./outgoing-files.tsx'), 'OutgoingFiles');

/** A message being sent. It isn't in the session yet, so it has no actions. */
export function OutgoingRow({ item, outbox }: { item: OutboxItem; outbox: Outbox }) {
  const { profile } = useWorkspace();
  const owner = useOwner();
  const person = usePeople();
  const uploads = useUploadsAt(places.entry(item.id));
  const stuck = uploads.filter(isStuck);
  const isIncomplete = stuck.length > 0 || uploads.length < item.files;
  const hasFailed = item.state === 'failed' || isIncomplete;
  const isWaiting = uploads.some(({ state }) => state === 'waiting');
  function retry() {
    for (const upload of stuck) retryUpload(owner, upload);
    if (item.state === 'failed') outbox.retry(item.id);
  }
  return (
    <article
      aria-label={hasFailed ? 'Your message, not sent' : 'Your message, being sent'}
      className="flex gap-3 px-3 pt-3 pb-[1.8125px] sm:px-6"
    >
      <span className="flex w-9 shrink-0 justify-center pt-0.5">
        <Avatar name={profile.name} seed={profile.userId} photo={person(profile.userId).photo} />
      </span>
      <div className="flex min-w-0 flex-1 flex-col">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="min-w-0 truncate font-semibold">{profile.name}</bdi>
          <span className="text-xs text-muted">
            {hasFailed ? 'Not sent' : isWaiting ? 'Sent when its files are uploaded' : 'Sending…'}
          </span>
        </p>
        {item.body && (
          <p dir="auto" className="whitespace-pre-wrap text-muted wrap-anywhere">
            {item.body}
          </p>
        )}
        {uploads.length > 0 && <OutgoingFiles uploads={uploads} />}
        {hasFailed && (
          <NotSent error={isIncomplete ? INCOMPLETE : item.error}>
            {uploads.length === item.files && (
              <Button size="small" onClick={retry}>
                Try again
              </Button>
            )}
            <Button size="small" onClick={() => outbox.edit(item.id)}>
              Edit
            </Button>
            <Button size="small" look="quiet" onClick={() => outbox.discard(item.id)}>
              Discard
            </Button>
          </NotSent>
        )}
      </div>
    </article>
  );
}

const INCOMPLETE = 'One of its files is missing, so the message waits. Edit it to remove the file.';

function NotSent({ error, children }: { error: string | null; children: ReactNode }) {
  return (
    <div role="alert" className="mt-1 flex flex-wrap items-center gap-2 text-sm text-danger">
      <CircleAlert aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">{error ?? 'Couldn’t send this message.'}</span>
      {children}
    </div>
  );
}
