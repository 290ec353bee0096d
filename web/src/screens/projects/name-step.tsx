import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../data/query-keys.ts';
import { webApi } from '../../data/web-api.ts';
import { PROFILE_KEY, useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { fieldErrors, Form, SaveError } from '../../ui/forms/form.tsx';
import { Card } from '../../ui/pages/page.tsx';
import { toast } from '../../ui/layers/toast.tsx';

const KEPT = 'atrium.kept-name';

/** Asks a new person for their name, which is the start of their address until they give one. */
export function NameStep() {
  const { profile, org } = useWorkspace();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [isKept, setKept] = useState(() => localStorage.getItem(KEPT) === profile.userId);
  const save = useMutation({
    mutationFn: () => webApi.updateProfile({ name: name.trim() }),
    onSuccess(saved) {
      toast('Name saved');
      queryClient.setQueryData(PROFILE_KEY, saved);
      return queryClient.invalidateQueries({ queryKey: keys.members(org.id) });
    },
  });
  if (isKept || profile.name !== profile.email.slice(0, profile.email.indexOf('@'))) return null;
  const refused = fieldErrors(save.error);
  return (
    <Card
      title="What should people call you?"
      description={`Your name is next to everything you write. Right now it’s “${profile.name}”.`}
    >
      <Form className="flex flex-wrap items-end gap-3" onSubmit={() => save.mutate()}>
        <TextField
          label="Your name"
          fieldClassName="min-w-0 flex-1 basis-52 max-w-md"
          dir="auto"
          autoComplete="name"
          required
          maxLength={120}
          error={refused['name']}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <Button type="submit" look="primary" isBusy={save.isPending} disabled={name.trim() === ''}>
          Save name
        </Button>
        <Button
          onClick={() => {
            localStorage.setItem(KEPT, profile.userId);
            setKept(true);
          }}
        >
          Keep “{profile.name}”
        </Button>
      </Form>
      <SaveError saving={save} problems={refused} />
    </Card>
  );
}
