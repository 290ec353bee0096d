import { useState, type KeyboardEvent } from 'react';
import { webApi } from '../../../data/web-api.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ErrorNote } from '../../../ui/states/error-note.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors } from '../../../ui/forms/form.tsx';
import { AskForSignIn } from '../fresh-sign-in.tsx';
import { useSecretChange } from './use-secret-change.ts';

/**
 * Asks who it is in the dialog that creates a key, so that nothing typed there is lost. With the password it
 * goes on by itself. A link is opened in another tab, after which this one may go on, too.
 */
export function ConfirmSignIn({ onConfirmed }: { onConfirmed: () => void }) {
  const { profile } = useWorkspace();
  const password = usePasswordForm(onConfirmed);
  return (
    <AskForSignIn
      returnTo="/settings/keys"
      then="Open it in this browser and sign in, then come back to this tab and continue. What you entered stays here."
      instead={profile.hasPassword ? password : undefined}
    >
      You signed in more than 15 minutes ago, and a key works until it is revoked.
    </AskForSignIn>
  );
}

function usePasswordForm(onConfirmed: () => void) {
  const [password, setPassword] = useState('');
  const { isPending, error, run } = useSecretChange();
  const refused = fieldErrors(error)['currentPassword'];
  const confirm = () =>
    void run(async () => {
      await webApi.confirmSignIn(password);
      onConfirmed();
    });

  /** The field is part of the key's form, which Enter would submit. */
  function confirmByEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (password !== '') confirm();
  }

  const field = (
    <>
      <TextField
        label="Your password"
        type="password"
        autoComplete="current-password"
        autoFocus
        error={refused}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        onKeyDown={confirmByEnter}
      />
      {error !== undefined && refused === undefined && <ErrorNote error={error} />}
    </>
  );
  const action = (
    <Button size="small" isBusy={isPending} disabled={password === ''} onClick={confirm}>
      Confirm
    </Button>
  );
  return { field, action };
}
