import { Button } from '../../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../../ui/layers/dialog.tsx';
import { useShellActions } from '../../shared/shell-actions.ts';

interface NoProjectDialogProps {
  what: 'session' | 'task';
  onClose: () => void;
}

/** In place of the dialog that creates something in a project. */
export function NoProjectDialog({ what, onClose }: NoProjectDialogProps) {
  const { openNewProject } = useShellActions();
  return (
    <Dialog
      title="Create a project first"
      description={`Every ${what} belongs to a project, and you don’t have one yet.`}
      onClose={onClose}
    >
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" onClick={openNewProject}>
          Create project
        </Button>
      </DialogActions>
    </Dialog>
  );
}
