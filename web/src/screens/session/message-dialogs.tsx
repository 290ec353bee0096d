import { useWorkspace } from '../../data/workspace.tsx';
import { ConfirmDialog } from '../../ui/layers/dialog.tsx';
import { closablePart } from '../../ui/layers/part-boundary.tsx';
import { linkToMessage } from './links.ts';
import { useSession } from './session-context.ts';
import type { OpenDialog } from './use-message-actions.ts';

// Not part of the first page. Loaded ahead or on demand.
const RememberDialog = closablePart(
  () => import('../memory/remember-dialog.tsx'),
  'RememberDialog',
);

const RemindDialog = closablePart(() => import('../../shared/remind-dialog.tsx'), 'RemindDialog');

export function MessageDialog({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
  const { client, org, profile } = useWorkspace();
  const { slug, session, messages } = useSession();
  const { about, message } = dialog;
  if (about === 'remember') {
    return (
      <RememberDialog
        content={message.body}
        session={session}
        sourceUrl={linkToMessage(org.id, slug, message)}
        onClose={onClose}
      />
    );
  }
  if (about === 'remind')
    return <RemindDialog about={{ messageId: message.id }} onClose={onClose} />;
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
      onConfirm={() => messages.change(message.id, () => client.messages.delete(slug, message.id))}
      onClose={onClose}
    />
  );
}
