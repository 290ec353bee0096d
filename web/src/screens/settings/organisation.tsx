import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { PROFILE_KEY, useWorkspace } from '../../data/workspace.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, fieldErrors } from '../../ui/error-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card, PageHeader, RoleNote } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';

export function OrganisationSettings() {
  const { isAdmin } = useWorkspace();
  return (
    <>
      <PageHeader title="Organisation">What everyone in it sees.</PageHeader>
      {!isAdmin && <RoleNote>Only owners and admins can rename the organisation.</RoleNote>}
      <OrgNameForm />
    </>
  );
}

function OrgNameForm() {
  const { client, org, isAdmin } = useWorkspace();
  const queryClient = useQueryClient();
  const [name, setName] = useState(org.name);
  const rename = useMutation({
    mutationFn: async () => client.org.update(org.id, { name: name.trim() }),
    async onSuccess(renamed) {
      await queryClient.invalidateQueries({ queryKey: PROFILE_KEY });
      setName(renamed.name);
      toast('Organisation renamed');
    },
  });
  const refused = fieldErrors(rename.error)['name'];

  function submit(event: FormEvent) {
    event.preventDefault();
    rename.mutate();
  }

  return (
    <Card title="Name">
      <form className="flex flex-col gap-3" onSubmit={submit}>
        <div className="flex flex-wrap items-end gap-3">
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
          <Button
            type="submit"
            isBusy={rename.isPending}
            disabled={!isAdmin || name.trim() === '' || name.trim() === org.name}
          >
            Save name
          </Button>
        </div>
        {rename.error && !refused && <ErrorNote error={rename.error} />}
      </form>
    </Card>
  );
}
