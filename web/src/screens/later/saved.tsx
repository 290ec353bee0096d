import type { Message, SavedMessage } from '@atrium/sdk';
import { plainlySaidIn } from '../../shared/plain-words.ts';
import { Link } from '@tanstack/react-router';
import { Bookmark, BookmarkX } from 'lucide-react';
import { usePlaceName } from '../../data/direct.ts';
import { keys } from '../../data/query-keys.ts';
import { useAuthorName } from '../../data/queries.ts';
import { useChange } from '../../data/use-change.ts';
import { useItems } from '../../data/use-fetched.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { toastError } from '../../ui/layers/toast.tsx';
import { Ago } from '../../ui/marks/time.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Loading } from '../../ui/states/loading.tsx';
import { KeptList, KeptRow, ROW_LINK } from './kept-list.tsx';

export function Saved() {
  const saved = useItems(keys.saved, ({ client }, options) =>
    client.messages.listSaved({ limit: 100 }, options),
  );
  const { data } = saved;
  return (
    <>
      <Loading of={saved} label="Loading saved messages…" />
      {data?.length === 0 && (
        <EmptyState icon={Bookmark} title="Nothing saved yet">
          Open a message’s menu and choose “Save for later”. You find it here again.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <KeptList label="Saved messages">
          {data.map((item) => (
            <SavedRow key={item.message.id} item={item} />
          ))}
        </KeptList>
      )}
    </>
  );
}

function SavedRow({ item }: { item: SavedMessage }) {
  const { message, session, project, savedAt } = item;
  const author = useAuthorName()(message);
  const remove = useChange({
    send: async ({ client }) => client.messages.unsave(project.slug, message.id),
    refetch: keys.saved,
    onError: toastError,
  });
  const search =
    message.parentMessageId === null
      ? { m: message.id }
      : { m: message.id, thread: message.parentMessageId };
  return (
    <KeptRow
      above={usePlaceName()({ session, project })}
      below={
        <>
          <bdi>{author}</bdi>
          {versionOf(message)}, saved <Ago at={savedAt} />
        </>
      }
      actions={
        <IconButton
          label="Remove from saved"
          icon={BookmarkX}
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        />
      }
    >
      <Link
        to="/p/$slug/s/$sessionId"
        params={{ slug: project.slug, sessionId: session.id }}
        search={search}
        dir="auto"
        className={ROW_LINK}
      >
        {plainlySaidIn(message)}
      </Link>
    </KeptRow>
  );
}

/** Of a question that was asked again, which may have the same words each time. */
function versionOf({ id, branches }: Message): string {
  const nth = branches.findIndex(({ messageId }) => messageId === id) + 1;
  return branches.length > 1 ? `, version ${nth} of ${branches.length}` : '';
}
