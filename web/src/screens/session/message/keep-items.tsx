import type { Message } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { AlarmClock, Bookmark, BookmarkX, Pin, PinOff } from 'lucide-react';
import { keys } from '../../../data/query-keys.ts';
import { useItems } from '../../../data/use-fetched.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { MenuItem } from '../../../ui/controls/menu.tsx';
import { toast, toastError } from '../../../ui/layers/toast.tsx';
import { useSession } from '../session-context.ts';
import { useMessageActions } from '../use-message-actions.ts';

/** Pin it for everyone, save it for oneself, or be reminded of it. */
export function KeepItems({ message }: { message: Message }) {
  const { canWrite } = useSession();
  const { openDialog } = useMessageActions();
  return (
    <>
      {canWrite && <PinItem message={message} />}
      <SaveItem message={message} />
      <MenuItem icon={AlarmClock} onSelect={() => openDialog('remind', message)}>
        Remind me…
      </MenuItem>
    </>
  );
}

function PinItem({ message }: { message: Message }) {
  const { client, profile } = useWorkspace();
  const { slug, messages } = useSession();
  const isPinned = message.pinnedAt !== null;
  function change() {
    const pin = isPinned
      ? { pinnedAt: null, pinnedById: null }
      : { pinnedAt: new Date().toISOString(), pinnedById: profile.userId };
    messages
      .change(
        message.id,
        async () =>
          isPinned
            ? client.messages.unpin(slug, message.id)
            : client.messages.pin(slug, message.id),
        (shown) => ({ ...shown, ...pin }),
      )
      .catch(toastError);
  }
  return (
    <MenuItem icon={isPinned ? PinOff : Pin} onSelect={change}>
      {isPinned ? 'Unpin from session' : 'Pin to session'}
    </MenuItem>
  );
}

function SaveItem({ message }: { message: Message }) {
  const { client, org } = useWorkspace();
  const { slug, session } = useSession();
  const queryClient = useQueryClient();
  const { data = [] } = useItems(
    (orgId) => [...keys.saved(orgId), session.id],
    ({ client: from }, options) =>
      from.messages.listSaved({ sessionId: session.id, limit: 100 }, options),
    { staleTime: 60_000 },
  );
  const isSaved = data.some((saved) => saved.message.id === message.id);
  async function change() {
    await (isSaved
      ? client.messages.unsave(slug, message.id)
      : client.messages.save(slug, message.id));
    toast(isSaved ? 'Removed from saved' : 'Saved. You find it under Later.');
    await queryClient.invalidateQueries({ queryKey: keys.saved(org.id) });
  }
  return (
    <MenuItem
      icon={isSaved ? BookmarkX : Bookmark}
      onSelect={() => void change().catch(toastError)}
    >
      {isSaved ? 'Remove from saved' : 'Save for later'}
    </MenuItem>
  );
}
