import { useState } from 'react';
import { TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors, FormDialog } from '../../../ui/forms/form.tsx';
import { needsFreshSignIn, withoutSignIn } from '../fresh-sign-in.tsx';
import { ConfirmSignIn } from './confirm-sign-in.tsx';
import { useKeyActions, type KeyFamily, type ShownKey } from './families.ts';
import { ScopesField } from './scopes-field.tsx';
import { PRESETS, type Scope } from './scopes.ts';
import { useSecretChange } from './use-secret-change.ts';

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
  const change = useSecretChange();
  const problems = {
    ...(isChecked && name.trim() === '' && { name: 'Enter a name, such as the program’s.' }),
    ...(isChecked && scopes.length === 0 && { scopes: 'Choose at least one permission.' }),
    ...fieldErrors(change.error),
  };

  function submit() {
    setChecked(true);
    if (name.trim() === '' || scopes.length === 0) return;
    void change.run(async () => onMinted(await mint(name.trim(), scopes)));
  }

  return (
    <FormDialog
      title={family === 'v2' ? 'New API key' : 'New organisation key'}
      width="wide"
      action="Create key"
      saving={withoutSignIn(change)}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
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
      {needsFreshSignIn(change.error) && <ConfirmSignIn onConfirmed={submit} />}
    </FormDialog>
  );
}
