import type { Message } from '@atrium/sdk';
import { plainlySaidIn } from '../../../shared/plain-words.ts';
import { Link } from '@tanstack/react-router';
import { Pin, PinOff } from 'lucide-react';
import { keys } from '../../../data/query-keys.ts';
import { useAuthorName } from '../../../data/queries.ts';
import { useChange } from '../../../data/use-change.ts';
import { useItems } from '../../../data/use-fetched.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../../ui/layers/dialog.tsx';
import { toastError } from '../../../ui/layers/toast.tsx';
import { Day } from '../../../ui/marks/time.tsx';
import { EmptyState } from '../../../ui/states/empty-state.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { useSession } from '../session-context.ts';

/** The session's pinned messages, the last pinned first. Each leads to its place. */
export function PinsDialog({ onClose }: { onClose: () => void }) {
  const { slug, session } = useSession();
  const pins = useItems(
    (orgId) => keys.pins(orgId, session.id),
    ({ client }, options) => client.messages.listPins(slug, session.id, { limit: 100 }, options),
  );
  const { data } = pins;
  return (
    <Dialog title="Pinned messages" onClose={onClose}>
      <Loading of={pins} label="Loading pinned messages…" />
      {data?.length === 0 && (
        <EmptyState icon={Pin} title="Nothing pinned yet">
          Open a message’s menu and choose “Pin to session”. Everyone here finds it at once.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul aria-label="Pinned messages" className="-mx-2 flex flex-col divide-y divide-line">
          {data.map((message) => (
            <PinRow key={message.id} message={message} onClose={onClose} />
          ))}
        </ul>
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}

function PinRow({ message, onClose }: { message: Message; onClose: () => void }) {
  const { slug, session, canWrite } = useSession();
  const author = useAuthorName()(message);
  const unpin = useChange({
    send: async ({ client }) => client.messages.unpin(slug, message.id),
    refetch: (orgId) => keys.pins(orgId, session.id),
    onError: toastError,
  });
  const thread = message.parentMessageId;
  return (
    <li className="relative flex items-start gap-2 rounded-md px-2 py-2.5 hover:bg-hover">
      <div className="flex min-w-0 flex-1 flex-col">
        <Link
          to="/p/$slug/s/$sessionId"
          params={{ slug, sessionId: session.id }}
          search={thread === null ? { m: message.id } : { m: message.id, thread }}
          onClick={onClose}
          dir="auto"
          className="line-clamp-3 text-sm wrap-anywhere after:absolute after:inset-0 after:content-['']"
        >
          {plainlySaidIn(message)}
        </Link>
        <p className="truncate text-note text-muted">
          <bdi>{author}</bdi>, <Day at={message.createdAt} />
        </p>
      </div>
      {canWrite && (
        <IconButton
          label="Unpin message"
          icon={PinOff}
          className="relative"
          disabled={unpin.isPending}
          onClick={() => unpin.mutate()}
        />
      )}
    </li>
  );
}
