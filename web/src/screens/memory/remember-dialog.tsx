import type { Session } from '@atrium/sdk';
import { MemoryDialog } from './memory-dialog.tsx';

interface RememberDialogProps {
  /** The message's text. */
  content: string;
  /** The message's. Its project's members see the memory unless it is private, or the person chooses otherwise. */
  session: Session;
  /** The link to the message. */
  sourceUrl: string;
  onClose: () => void;
}

/** "Remember this" on a message: the add dialog, already filled in. */
export function RememberDialog({ content, session, sourceUrl, onClose }: RememberDialogProps) {
  const { access, projectId } = session;
  const visibility = access === 'PARTICIPANTS' ? 'PRIVATE' : 'PROJECT';
  return (
    <MemoryDialog
      title="Remember this"
      values={{ content, visibility, projectId, tags: [], sourceUrl }}
      onClose={onClose}
    />
  );
}
