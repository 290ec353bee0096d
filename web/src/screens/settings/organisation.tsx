import { useState } from 'react';
import { useChange } from '../../data/use-change.ts';
import { PROFILE_KEY, useWorkspace } from '../../data/workspace.tsx';
import { Avatar } from '../../ui/marks/avatar.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { fieldErrors, FieldForm } from '../../ui/forms/form.tsx';
import { Card, PageHeader, RoleNote } from '../../ui/pages/page.tsx';
import { toast } from '../../ui/layers/toast.tsx';
import { LinkPreviewsCard } from './organisation/link-previews-card.tsx';

export function OrganisationSettings() {
  const { isAdmin } = useWorkspace();
  return (
    <>
      <PageHeader title="Organisation">What everyone in it sees.</PageHeader>
      {!isAdmin && <RoleNote>Only owners and admins can change the organisation.</RoleNote>}
      <OrgNameForm />
      <LinkPreviewsCard />
    </>
  );
}

function OrgNameForm() {
  const { org, isAdmin } = useWorkspace();
  const [name, setName] = useState(org.name);
  const rename = useChange({
    send: ({ client }) => client.org.update(org.id, { name: name.trim() }),
    refetch: () => PROFILE_KEY,
    onDone(renamed) {
      setName(renamed.name);
      toast('Organisation renamed');
    },
  });
  const refused = fieldErrors(rename.error)['name'];
  return (
    <Card title="Name">
      <FieldForm
        action="Save name"
        saving={rename}
        problem={refused}
        isDisabled={!isAdmin || name.trim() === '' || name.trim() === org.name}
        onSubmit={() => rename.mutate()}
      >
        <Avatar name={name || '?'} seed={org.id} size="large" />
        <TextField
          label="Organisation name"
          fieldClassName="min-w-0 flex-1 basis-52 max-w-md"
          dir="auto"
          autoComplete="organization"
          required
          maxLength={120}
          disabled={!isAdmin}
          error={refused}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </FieldForm>
    </Card>
  );
}
