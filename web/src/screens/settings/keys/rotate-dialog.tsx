import type { Key } from '@atrium/sdk';
import { useState, type FormEvent } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { needsFreshSignIn } from '../fresh-sign-in.tsx';
import { ConfirmSignIn } from './confirm-sign-in.tsx';
import { useKeyActions, type KeyFamily, type ShownKey } from './families.ts';
import { useTask } from './use-task.ts';

const HOUR = 3_600;
const PERIODS = [
  { seconds: 0, words: 'Stop it now' },
  { seconds: HOUR, words: 'Keep it for 1 hour' },
  { seconds: 24 * HOUR, words: 'Keep it for 1 day' },
  { seconds: 7 * 24 * HOUR, words: 'Keep it for 7 days' },
];

interface RotateDialogProps {
  family: KeyFamily;
  apiKey: Key;
  onRotated: (shown: ShownKey) => void;
  onClose: () => void;
}

export function RotateDialog({ family, apiKey, onRotated, onClose }: RotateDialogProps) {
  const [seconds, setSeconds] = useState(HOUR);
  const { rotate } = useKeyActions(family);
  const { isBusy, error, run } = useTask();

  function submit(event?: FormEvent) {
    event?.preventDefault();
    void run(async () => onRotated(await rotate(apiKey.id, seconds)));
  }

  return (
    <Dialog
      title={`Rotate “${apiKey.name}”`}
      description="You get a new key with the same name and scopes. Switch to it while the old one still works, and nothing breaks."
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <SelectField
          label="What should happen to the old key?"
          hint={seconds === 0 ? 'Choose this if someone else may have seen it.' : undefined}
          value={seconds}
          onChange={({ target }) => setSeconds(Number(target.value))}
        >
          {PERIODS.map((period) => (
            <option key={period.seconds} value={period.seconds}>
              {period.words}
            </option>
          ))}
        </SelectField>
        {needsFreshSignIn(error) ? (
          <ConfirmSignIn onConfirmed={submit} />
        ) : (
          error !== undefined && <ErrorNote error={error} />
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            Rotate key
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
