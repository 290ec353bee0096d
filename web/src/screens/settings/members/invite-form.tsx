import type { CreateInvitation } from '@atrium/sdk';
import { Send } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { SelectField, TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors, Form, SaveError } from '../../../ui/forms/form.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { ROLE_MEANINGS, ROLE_NAMES } from '../../../shared/roles.ts';
import { useInvite } from './mutations.ts';

export function InviteForm() {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<CreateInvitation['role']>('MEMBER');
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const invite = useInvite();
  const refused = fieldErrors(invite.error);

  function submit() {
    const address = email.trim();
    if (!/^\S+@\S+$/.test(address)) {
      setProblem('Enter an email address, such as ada@example.com.');
      input.current?.focus();
      return;
    }
    setProblem(undefined);
    invite.mutate(
      { email: address, role },
      {
        onSuccess() {
          toast(`Invitation sent to ${address}`);
          setEmail('');
          input.current?.focus();
        },
      },
    );
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
          onChange={({ target }) => setRole(target.value as CreateInvitation['role'])}
        >
          <option value="MEMBER">{ROLE_NAMES.MEMBER}</option>
          <option value="ADMIN">{ROLE_NAMES.ADMIN}</option>
        </SelectField>
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
