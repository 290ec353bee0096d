import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { webApi } from '../../../data/web-api.ts';
import { PROFILE_KEY, useWorkspace } from '../../../data/workspace.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors, FieldForm } from '../../../ui/forms/form.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { toast } from '../../../ui/layers/toast.tsx';

export function NameForm() {
  const { profile, org } = useWorkspace();
  const queryClient = useQueryClient();
  const [name, setName] = useState(profile.name);
  const [problem, setProblem] = useState<string>();
  const save = useMutation({
    mutationFn: (changes: { name: string }) => webApi.updateProfile(changes),
    onSuccess(saved) {
      queryClient.setQueryData(PROFILE_KEY, saved);
      setName(saved.name);
      toast('Name saved');
      return queryClient.invalidateQueries({ queryKey: keys.members(org.id) });
    },
  });
  const refused = fieldErrors(save.error)['name'];

  function submit() {
    const isEmpty = name.trim() === '';
    setProblem(isEmpty ? 'Enter a name. Others see it next to what you write.' : undefined);
    if (!isEmpty) save.mutate({ name: name.trim() });
  }

  return (
    <Card title="Name">
      <FieldForm
        action="Save name"
        saving={save}
        problem={refused}
        isDisabled={name.trim() === profile.name}
        noValidate
        onSubmit={submit}
      >
        <TextField
          label="Your name"
          fieldClassName="min-w-0 flex-1 basis-52 max-w-md"
          dir="auto"
          autoComplete="name"
          maxLength={120}
          error={problem ?? refused}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </FieldForm>
    </Card>
  );
}
