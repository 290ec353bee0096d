import type { Message } from '@atrium/sdk';
import { X } from 'lucide-react';
import type { MouseEvent } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { IconButton } from '../../../ui/controls/button.tsx';
import { toastError, toastWithUndo } from '../../../ui/layers/toast.tsx';
import { cx } from '../../../ui/text/cx.ts';
import { safePage } from '../../../ui/text/safe-link.ts';
import { useSession } from '../session-context.ts';
import { useMessageActions } from '../use-message-actions.ts';

interface LinkPreviewsProps {
  message: Message;
  /** They come while people look at the message, so that what is below makes room gradually. */
  isArriving: boolean;
}

/** What the pages behind a message's links say about themselves. Text only: images would tell who reads this. */
export function LinkPreviews({ message, isArriving }: LinkPreviewsProps) {
  return (
    <div
      className={cx(
        'grid grid-rows-[1fr]',
        isArriving && 'transition-[grid-template-rows] duration-150 starting:grid-rows-[0fr]',
      )}
    >
      <div className="flex min-h-0 max-w-xl min-w-0 items-start gap-1 overflow-hidden">
        <ul aria-label="Link previews" className="flex min-w-0 flex-1 flex-col gap-2">
          {message.previews.map((preview) => (
            <Preview key={preview.url} {...preview} />
          ))}
        </ul>
        <RemoveButton message={message} />
      </div>
    </div>
  );
}

function Preview({ url, site, title, description }: Message['previews'][number]) {
  const address = safePage(url);
  if (address === undefined) return null;
  const host = new URL(address).hostname.replace(/^www\./, '');
  return (
    <li className="min-w-0 border-l-[3px] border-line py-0.5 pl-3">
      {/* A page can call itself anything, so its address is always there. */}
      <p className="flex min-w-0 gap-1 text-xs text-muted">
        <bdi className="truncate">{site}</bdi>
        {site.toLowerCase() !== host && (
          <>
            <span aria-hidden>·</span>
            <span className="max-w-[60%] shrink-0 truncate">{host}</span>
          </>
        )}
      </p>
      <a
        href={address}
        title={address}
        target="_blank"
        rel="noopener noreferrer nofollow"
        dir="auto"
        className="line-clamp-2 text-sm font-semibold text-accent wrap-anywhere hover:underline"
      >
        {title}
      </a>
      {description && (
        <p dir="auto" className="line-clamp-2 text-note text-muted wrap-anywhere">
          {description}
        </p>
      )}
    </li>
  );
}

function RemoveButton({ message }: { message: Message }) {
  const { client, isAdmin } = useWorkspace();
  const { slug, messages, canWrite } = useSession();
  const { userId } = useMessageActions();
  if (!canWrite || !(isAdmin || message.authorUserId === userId)) return null;
  const hide = (hidePreviews: boolean) =>
    messages.change(
      message.id,
      () => client.messages.edit(slug, message.id, { hidePreviews }),
      (shown) => (hidePreviews ? { ...shown, previews: [] } : shown),
    );
  const isOne = message.previews.length === 1;
  function remove({ currentTarget }: MouseEvent) {
    // The button will be gone.
    currentTarget.closest('article')?.focus();
    hide(true).then(
      () =>
        toastWithUndo(
          isOne ? 'Preview removed' : 'Previews removed',
          () => hide(false),
          message.id,
        ),
      toastError,
    );
  }
  return (
    <IconButton
      label={isOne ? 'Remove preview' : 'Remove previews'}
      icon={X}
      iconClass="size-3.5"
      onClick={remove}
      className="size-7 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 pointer-coarse:opacity-100 sm:size-6 print:hidden"
    />
  );
}
