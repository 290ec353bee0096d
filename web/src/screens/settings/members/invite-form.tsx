import type { CreateInvitation } from '@atrium/sdk';
import { Send } from 'lucide-react';
import { useRef, useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useChange } from '../../../data/use-change.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { fieldErrors, Form, SaveError } from '../../../ui/forms/form.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { ROLE_MEANINGS, ROLE_NAMES } from '../../../shared/roles.ts';

export function InviteForm() {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<CreateInvitation['role']>('MEMBER');
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const invite = useChange({
    send: ({ client, org }, address: string) => client.org.invite(org.id, { email: address, role }),
    refetch: keys.invitations,
    onDone(_, address) {
      toast(`Invitation sent to ${address}`);
      setEmail('');
      input.current?.focus();
    },
  });
  const refused = fieldErrors(invite.error);

  function submit() {
    const address = email.trim();
    if (!/^\S+@\S+$/.test(address)) {
      setProblem('Enter an email address, such as ada@example.com.');
      input.current?.focus();
      return;
    }
    setProblem(undefined);
    invite.mutate(address);
  }

  return (
    <Form noValidate className="flex flex-col gap-3" onSubmit={submit}>
      <div className="flex flex-col gap-3 sm:flex-row sm:items-end">
        <TextField
          ref={input}
          label="Email address"
          fieldClassName="min-w-0 flex-1"
          type="email"
          autoComplete="off"
          maxLength={254}
          error={problem ?? refused['email']}
          value={email}
          onChange={({ target }) => {
            setEmail(target.value);
            setProblem(undefined);
            invite.reset();
          }}
        />
        <SelectField
          label="Role"
          fieldClassName="sm:w-36"
          value={role}
          onChange={setRole}
          options={[
            { value: 'MEMBER', name: ROLE_NAMES.MEMBER },
            { value: 'ADMIN', name: ROLE_NAMES.ADMIN },
          ]}
        />
        <Button type="submit" look="primary" isBusy={invite.isPending} icon={Send}>
          Send invitation
        </Button>
      </div>
      <p className="text-note text-muted">
        {ROLE_NAMES[role]}: {ROLE_MEANINGS[role]} An owner can make someone an owner after they
        join.
      </p>
      <SaveError saving={invite} problems={refused} />
    </Form>
  );
}
