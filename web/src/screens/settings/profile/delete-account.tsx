import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ErrorNote, fieldErrors } from '../../../ui/error-note.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { leaveApp } from '../../shell/sign-out.ts';
import { FreshSignIn, needsFreshSignIn } from '../fresh-sign-in.tsx';
import { OwnPasswordField } from './own-password-field.tsx';

export function DeleteAccount() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title="Delete account"
      description="Erases your name and address, and signs you out of every organisation for good. What you wrote for others stays, by a former member."
    >
      <div>
        <Button look="danger" onClick={() => setOpen(true)}>
          Delete account…
        </Button>
      </div>
      {isOpen && <DeleteDialog onClose={() => setOpen(false)} />}
    </Card>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { client, profile } = useWorkspace();
  const [typed, setTyped] = useState('');
  const [current, setCurrent] = useState('');
  const [problem, setProblem] = useState<string>();
  const remove = useMutation({
    mutationFn: async () =>
      client.identity.deleteAccount(current === '' ? {} : { currentPassword: current }),
    gcTime: 0,
    onSuccess: leaveApp,
  });
  const refused = fieldErrors(remove.error);

  function submit(event: FormEvent) {
    event.preventDefault();
    const isSame = typed.trim().toLowerCase() === profile.email.toLowerCase();
    setProblem(isSame ? undefined : `Enter ${profile.email} to confirm.`);
    if (isSame) remove.mutate();
  }

  return (
    <Dialog
      title="Delete your account?"
      description={
        <ul className="flex list-disc flex-col gap-1 pl-5">
          <li>You leave every organisation, and all your devices are signed out.</li>
          <li>Your API keys are revoked, and your private memories are erased.</li>
          <li>Messages and shared memories stay, without your name.</li>
          <li>This can’t be undone. Download your data first.</li>
        </ul>
      }
      onClose={onClose}
    >
      <form noValidate className="flex flex-col gap-3" onSubmit={submit}>
        <TextField
          label="Your email address"
          hint={`Enter ${profile.email} to confirm.`}
          type="email"
          autoComplete="off"
          error={problem}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {profile.hasPassword && (
          <OwnPasswordField
            error={refused['currentPassword']}
            value={current}
            onChange={setCurrent}
          />
        )}
        {needsFreshSignIn(remove.error) ? (
          <FreshSignIn />
        ) : (
          remove.error && !('currentPassword' in refused) && <ErrorNote error={remove.error} />
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" isBusy={remove.isPending}>
            Delete account
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
