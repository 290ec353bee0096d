import { CircleAlert } from 'lucide-react';
import { usePeople } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Avatar } from '../../../ui/marks/avatar.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import type { Outbox, OutboxItem } from '../composer/outbox.ts';

/** A message being sent. It isn't in the session yet, so it has no actions. */
export function OutgoingRow({ item, outbox }: { item: OutboxItem; outbox: Outbox }) {
  const { profile } = useWorkspace();
  const person = usePeople();
  const hasFailed = item.state === 'failed';
  return (
    <article
      aria-label={hasFailed ? 'Your message, not sent' : 'Your message, being sent'}
      className="flex gap-3 px-3 pt-3 pb-[1.8125px] sm:px-6"
    >
      <span className="flex w-9 shrink-0 justify-center pt-0.5">
        <Avatar name={profile.name} seed={profile.userId} photo={person(profile.userId).photo} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="min-w-0 truncate font-semibold">{profile.name}</bdi>
          <span className="text-xs text-muted">{hasFailed ? 'Not sent' : 'Sending…'}</span>
        </p>
        <p dir="auto" className="whitespace-pre-wrap text-muted wrap-anywhere">
          {item.body}
        </p>
        {hasFailed && (
          <div role="alert" className="mt-1 flex flex-wrap items-center gap-2 text-sm text-danger">
            <CircleAlert aria-hidden className="size-4 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              {item.error ?? 'Couldn’t send this message.'}
            </span>
            <Button size="small" onClick={() => outbox.retry(item.id)}>
              Try again
            </Button>
            <Button size="small" onClick={() => outbox.edit(item.id)}>
              Edit
            </Button>
            <Button size="small" look="quiet" onClick={() => outbox.discard(item.id)}>
              Discard
            </Button>
          </div>
        )}
      </div>
    </article>
  );
}
