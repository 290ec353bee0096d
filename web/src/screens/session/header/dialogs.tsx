import type { Session } from '@atrium/sdk';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ErrorNote, fieldErrors } from '../../../ui/error-note.tsx';
import { TextField } from '../../../ui/field.tsx';
import { useUpdateSession } from '../queries.ts';

interface SessionDialogProps {
  slug: string;
  session: Session;
  onClose: () => void;
}

export function RenameDialog({ slug, session, onClose }: SessionDialogProps) {
  const [title, setTitle] = useState(session.title ?? session.name);
  const update = useUpdateSession(slug, session);
  const error = fieldErrors(update.error)['title'];
  return (
    <Dialog title="Rename session" onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          update.mutate({ title: title.trim() }, { onSuccess: onClose });
        }}
      >
        <TextField
          label="Title"
          required
          autoFocus
          maxLength={200}
          dir="auto"
          value={title}
          error={error}
          onChange={(event) => setTitle(event.target.value)}
        />
        {update.isError && !error && <ErrorNote error={update.error} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            isBusy={update.isPending}
            disabled={title.trim() === ''}
          >
            Rename session
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
