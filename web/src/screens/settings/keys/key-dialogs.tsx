import type { Key } from '@atrium/sdk';
import { useState } from 'react';
import { TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { fieldErrors, FormDialog } from '../../../ui/forms/form.tsx';
import { needsFreshSignIn, withoutSignIn } from '../fresh-sign-in.tsx';
import { ConfirmSignIn } from './confirm-sign-in.tsx';
import { useKeyActions, type KeyFamily, type ShownKey } from './families.ts';
import { ScopesField } from './scopes-field.tsx';
import { PRESETS, type Scope } from './scopes.ts';
import { useSecretChange } from './use-secret-change.ts';

interface KeyDialogProps {
  family: KeyFamily;
  /** The new key is there. */
  onMade: (shown: ShownKey) => void;
  onClose: () => void;
}

export function MintDialog({ family, onMade, onClose }: KeyDialogProps) {
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
    void change.run(async () => onMade(await mint(name.trim(), scopes)));
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

const HOUR = 3_600;
const PERIODS = [
  { value: String(0), name: 'Stop it now' },
  { value: String(HOUR), name: 'Keep it for 1 hour' },
  { value: String(24 * HOUR), name: 'Keep it for 1 day' },
  { value: String(7 * 24 * HOUR), name: 'Keep it for 7 days' },
];

interface RotateDialogProps extends KeyDialogProps {
  apiKey: Key;
}

export function RotateDialog({ family, apiKey, onMade, onClose }: RotateDialogProps) {
  const [seconds, setSeconds] = useState(HOUR);
  const { rotate } = useKeyActions(family);
  const change = useSecretChange();
  const submit = () => void change.run(async () => onMade(await rotate(apiKey.id, seconds)));
  return (
    <FormDialog
      title={`Rotate “${apiKey.name}”`}
      description="You get a new key with the same name and scopes. Switch to it while the old one still works, and nothing breaks."
      action="Rotate key"
      saving={withoutSignIn(change)}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label="What should happen to the old key?"
        hint={seconds === 0 ? 'Choose this if someone else may have seen it.' : undefined}
        value={String(seconds)}
        onChange={(chosen) => setSeconds(Number(chosen))}
        options={PERIODS}
      />
      {needsFreshSignIn(change.error) && <ConfirmSignIn onConfirmed={submit} />}
    </FormDialog>
  );
}
