import { useState, type FormEvent } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ErrorNote, fieldErrors } from '../../../ui/error-note.tsx';
import { TextField } from '../../../ui/field.tsx';
import { needsFreshSignIn } from '../fresh-sign-in.tsx';
import { ConfirmSignIn } from './confirm-sign-in.tsx';
import { useKeyActions, type KeyFamily, type ShownKey } from './families.ts';
import { ScopesField } from './scopes-field.tsx';
import { PRESETS, type Scope } from './scopes.ts';
import { useTask } from './use-task.ts';

interface MintDialogProps {
  family: KeyFamily;
  onMinted: (shown: ShownKey) => void;
  onClose: () => void;
}

export function MintDialog({ family, onMinted, onClose }: MintDialogProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<Scope[]>(PRESETS[family][0]?.scopes ?? []);
  const [isChecked, setChecked] = useState(false);
  const { mint } = useKeyActions(family);
  const { isBusy, error, run } = useTask();
  const problems = {
    ...(isChecked && name.trim() === '' && { name: 'Enter a name, such as the program’s.' }),
    ...(isChecked && scopes.length === 0 && { scopes: 'Choose at least one permission.' }),
    ...fieldErrors(error),
  };

  function submit(event?: FormEvent) {
    event?.preventDefault();
    setChecked(true);
    if (name.trim() === '' || scopes.length === 0) return;
    void run(async () => onMinted(await mint(name.trim(), scopes)));
  }

  return (
    <Dialog
      title={family === 'v2' ? 'New API key' : 'New organisation key'}
      width="wide"
      onClose={onClose}
    >
      <form noValidate className="flex flex-col gap-5" onSubmit={submit}>
        <TextField
          label="Name"
          hint="Reminds you later what the key is for."
          error={problems.name}
          dir="auto"
          maxLength={120}
          autoComplete="off"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <ScopesField family={family} scopes={scopes} error={problems.scopes} onChange={setScopes} />
        {needsFreshSignIn(error) ? (
          <ConfirmSignIn onConfirmed={submit} />
        ) : (
          error !== undefined && <ErrorNote error={error} />
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Create key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
