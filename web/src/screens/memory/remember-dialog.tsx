import { MemoryDialog } from './memory-dialog.tsx';

interface RememberDialogProps {
  /** The message's text. */
  content: string;
  /** The message's project, whose members see the memory unless the person chooses otherwise. */
  projectId: string;
  /** The link to the message. */
  sourceUrl: string;
  onClose: () => void;
}

/** "Remember this" on a message: the add dialog, already filled in. */
export function RememberDialog({ content, projectId, sourceUrl, onClose }: RememberDialogProps) {
  return (
    <MemoryDialog
      title="Remember this"
      draft={{ content, visibility: 'PROJECT', projectId, tags: [], sourceUrl }}
      onClose={onClose}
    />
  );
}
