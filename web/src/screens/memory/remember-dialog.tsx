import { MemoryDialog } from './memory-dialog.tsx';

interface RememberDialogProps {
  /** What is to be remembered, as it stands in the message. */
  content: string;
  /** The Project the message is in: its members see the memory, unless the person chooses otherwise. */
  projectId: string;
  /** The link to the message. */
  sourceUrl: string;
  onClose: () => void;
}

/** "Remember this" on a message: the add dialog, filled in. */
export function RememberDialog({ content, projectId, sourceUrl, onClose }: RememberDialogProps) {
  return (
    <MemoryDialog
      title="Remember this"
      draft={{ content, visibility: 'PROJECT', projectId, tags: [], sourceUrl }}
      onClose={onClose}
    />
  );
}
