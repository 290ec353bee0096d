import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors, FormDialog } from '../../../ui/forms/form.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { leaveApp } from '../../../shared/sign-out.ts';
import { FreshSignIn, needsFreshSignIn, withoutSignIn } from '../fresh-sign-in.tsx';
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

  function submit() {
    const isSame = typed.trim().toLowerCase() === profile.email.toLowerCase();
    setProblem(isSame ? undefined : `Enter ${profile.email} to confirm.`);
    if (isSame) remove.mutate();
  }

  return (
    <FormDialog
      title="Delete your account?"
      description={
        <ul className="flex list-disc flex-col gap-1 pl-5">
          <li>You leave every organisation, and all your devices are signed out.</li>
          <li>Your API keys are revoked, and your private memories are erased.</li>
          <li>Messages and shared memories stay, without your name.</li>
          <li>This can’t be undone. Download your data first.</li>
        </ul>
      }
      action="Delete account"
      look="danger"
      saving={withoutSignIn(remove)}
      problems={refused}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Your email address"
        hint={`Enter ${profile.email} to confirm.`}
        type="email"
        autoComplete="off"
        error={problem}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <OwnPasswordField
        error={refused['currentPassword']}
        value={current}
        onChange={({ target }) => setCurrent(target.value)}
      />
      {needsFreshSignIn(remove.error) && <FreshSignIn />}
    </FormDialog>
  );
}
