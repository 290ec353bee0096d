import type { Key } from '@atrium/sdk';
import { useState } from 'react';
import { SelectField } from '../../../ui/forms/field.tsx';
import { FormDialog } from '../../../ui/forms/form.tsx';
import { needsFreshSignIn, withoutSignIn } from '../fresh-sign-in.tsx';
import { ConfirmSignIn } from './confirm-sign-in.tsx';
import { useKeyActions, type KeyFamily, type ShownKey } from './families.ts';
import { useSecretChange } from './use-secret-change.ts';

const HOUR = 3_600;
const PERIODS = [
  [String(0), 'Stop it now'],
  [String(HOUR), 'Keep it for 1 hour'],
  [String(24 * HOUR), 'Keep it for 1 day'],
  [String(7 * 24 * HOUR), 'Keep it for 7 days'],
] as const;

interface RotateDialogProps {
  family: KeyFamily;
  apiKey: Key;
  onRotated: (shown: ShownKey) => void;
  onClose: () => void;
}

export function RotateDialog({ family, apiKey, onRotated, onClose }: RotateDialogProps) {
  const [seconds, setSeconds] = useState(HOUR);
  const { rotate } = useKeyActions(family);
  const change = useSecretChange();
  const submit = () => void change.run(async () => onRotated(await rotate(apiKey.id, seconds)));
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
        value={seconds}
        onChange={({ target }) => setSeconds(Number(target.value))}
        options={PERIODS}
      />
      {needsFreshSignIn(change.error) && <ConfirmSignIn onConfirmed={submit} />}
    </FormDialog>
  );
}
