import type { Session } from '@atrium/sdk';
import { lazyPart } from '../../data/parts.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { PartBoundary } from '../../ui/layers/part-boundary.tsx';
import { linkToMessage } from './links.ts';
import type { SessionMessages } from './store/session-messages.ts';
import type { OpenDialog } from './use-message-actions.ts';

// Not part of the first page. Loaded ahead or on demand.
const RememberDialog = lazyPart(() => import('../memory/remember-dialog.tsx'), 'RememberDialog');

interface MessageDialogProps {
  dialog: OpenDialog;
  slug: string;
  session: Session;
  messages: SessionMessages;
  onClose: () => void;
}

export function MessageDialog({ dialog, slug, session, messages, onClose }: MessageDialogProps) {
  const { client, org, profile } = useWorkspace();
  const { about, message } = dialog;
  if (about === 'remember') {
    return (
      <PartBoundary onClose={onClose}>
        <RememberDialog
          content={message.body}
          session={session}
          sourceUrl={linkToMessage(org.id, slug, message)}
          onClose={onClose}
        />
      </PartBoundary>
    );
  }
  const isMine = message.authorUserId === profile.userId;
  return (
    <ConfirmDialog
      title="Delete this message?"
      description={
        isMine
          ? 'Its text is erased for everyone. A note that a message was deleted stays in its place.'
          : 'You’re deleting someone else’s message. Its text is erased for everyone, and the audit log records it.'
      }
      action="Delete message"
      onConfirm={() =>
        messages.change(
          message.id,
          (shown) => shown,
          () => client.messages.delete(slug, message.id),
        )
      }
      onClose={onClose}
    />
  );
}
