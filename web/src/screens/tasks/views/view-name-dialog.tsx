import { useState } from 'react';
import { TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors, FormDialog, type Saving } from '../../../ui/forms/form.tsx';

interface ViewNameDialogProps {
  title: string;
  description?: string;
  action: string;
  initial: string;
  saving: Saving;
  onSubmit: (name: string) => void;
  onClose: () => void;
}

/** Asks for the name of a view. */
export function ViewNameDialog(props: ViewNameDialogProps) {
  const { initial, saving, onSubmit, ...dialog } = props;
  const [name, setName] = useState(initial);
  const problems = fieldErrors(saving.error);
  return (
    <FormDialog
      {...dialog}
      saving={saving}
      problems={problems}
      isDisabled={name.trim() === ''}
      onSubmit={() => onSubmit(name)}
    >
      <TextField
        label="Name"
        dir="auto"
        autoFocus
        maxLength={120}
        autoComplete="off"
        value={name}
        error={problems['name']}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  );
}
