import type { Session } from '@atrium/sdk';
import { useState } from 'react';
import { TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors, FormDialog } from '../../../ui/forms/form.tsx';
import { useUpdateSession } from '../queries.ts';

interface SessionDialogProps {
  slug: string;
  session: Session;
  onClose: () => void;
}

export function RenameDialog({ slug, session, onClose }: SessionDialogProps) {
  const [title, setTitle] = useState(session.title ?? session.name);
  const update = useUpdateSession(slug, session);
  const problems = fieldErrors(update.error);
  return (
    <FormDialog
      title="Rename session"
      action="Rename session"
      saving={update}
      problems={problems}
      isDisabled={title.trim() === ''}
      onSubmit={() => update.mutate({ title: title.trim() }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextField
        label="Title"
        required
        autoFocus
        maxLength={200}
        dir="auto"
        value={title}
        error={problems['title']}
        onChange={(event) => setTitle(event.target.value)}
      />
    </FormDialog>
  );
}
