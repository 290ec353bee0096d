import { Atrium } from '@atrium/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Profile } from '../../data/web-api.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { fieldErrors, Form, SaveError } from '../../ui/forms/form.tsx';
import { signOut } from '../../shared/sign-out.ts';
import { useEnterOrg } from './enter-org.ts';
import { FrontPage } from './front-page.tsx';

/** For a person who isn't in any org yet. */
export function NoOrg({ profile }: { profile: Profile }) {
  const enterOrg = useEnterOrg();
  return (
    <FrontPage title="Create your organisation">
      <p className="text-sm text-muted">
        An organisation holds your team’s projects, sessions and memory. You can invite people
        later.
      </p>
      <CreateOrgForm onCreated={enterOrg} />
      <div className="flex flex-col items-start gap-2 border-t border-line pt-4 text-sm text-muted">
        <p className="wrap-anywhere">
          Were you invited? Open the link in the invitation email. It must be for{' '}
          <b className="text-ink">{profile.email}</b>, the address you are signed in with.
        </p>
        <Button size="small" onClick={signOut}>
          Sign out
        </Button>
      </div>
    </FrontPage>
  );
}

interface CreateOrgFormProps {
  onCreated: (orgId: string) => Promise<void>;
  /** A button next to the main one. */
  children?: ReactNode;
}

export function CreateOrgForm({ onCreated, children }: CreateOrgFormProps) {
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: async () => {
      const org = await new Atrium({ auth: 'cookie' }).org.create({ name });
      await onCreated(org.id);
    },
  });
  const problems = fieldErrors(create.error);
  return (
    <Form className="flex flex-col gap-4" onSubmit={() => create.mutate()}>
      <TextField
        label="Name"
        hint="The name of your team or company."
        error={problems['name']}
        required
        autoFocus
        maxLength={120}
        autoComplete="organization"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SaveError saving={create} problems={problems} />
      <div className="flex flex-wrap justify-end gap-2">
        {children}
        <Button type="submit" look="primary" isBusy={create.isPending}>
          Create organisation
        </Button>
      </div>
    </Form>
  );
}
