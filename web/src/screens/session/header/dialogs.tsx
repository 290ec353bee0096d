import { useState } from 'react';
import { useSessionName } from '../../../data/direct.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors, FormDialog } from '../../../ui/forms/form.tsx';
import { useUpdateSession } from '../queries.ts';
import { useSession } from '../session-context.ts';

export function RenameDialog({ onClose }: { onClose: () => void }) {
  const [title, setTitle] = useState(useSessionName()(useSession().session));
  const update = useUpdateSession();
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
