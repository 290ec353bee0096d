import type { Me } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refetchMember } from '../../../data/people.ts';
import { keys } from '../../../data/query-keys.ts';
import { useMe } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { fieldErrors, Form, SaveError } from '../../../ui/forms/form.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { toast } from '../../../ui/layers/toast.tsx';

/** What the card about the person says besides their name. */
export function AboutForm() {
  const me = useMe();
  return (
    <Card title="About you" description="Others see it when they point at your name.">
      <Loading of={me} rows={2} label="Loading what others see…" />
      {me.data && <AboutFields me={me.data} />}
    </Card>
  );
}

function AboutFields({ me }: { me: Me }) {
  const workspace = useWorkspace();
  const { client, org } = workspace;
  const queryClient = useQueryClient();
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [title, setTitle] = useState(me.title ?? '');
  const [timeZone, setTimeZone] = useState(me.timeZone ?? here);
  const save = useMutation({
    mutationFn: async () => client.identity.update({ title: title.trim() || null, timeZone }),
    async onSuccess(saved) {
      queryClient.setQueryData(keys.me(org.id), saved);
      setTitle(saved.title ?? '');
      await refetchMember(queryClient, workspace, me.userId);
      toast('Saved');
    },
  });
  const refused = fieldErrors(save.error);
  const zones = [...new Set([here, timeZone, ...Intl.supportedValuesOf('timeZone')])].toSorted();
  return (
    <Form className="flex flex-col gap-4" noValidate onSubmit={() => save.mutate()}>
      <TextField
        label="Title"
        hint={`What you do in ${org.name}, such as “Head of research”.`}
        fieldClassName="max-w-md"
        dir="auto"
        autoComplete="organization-title"
        maxLength={120}
        error={refused['title']}
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <SelectField
        label="Time zone"
        hint="Others see your local time."
        fieldClassName="max-w-md"
        error={refused['timeZone']}
        value={timeZone}
        onChange={setTimeZone}
        options={zones.map((zone) => ({ value: zone, name: nameZone(zone, here) }))}
      />
      <SaveError saving={save} problems={refused} />
      <div>
        <Button type="submit" isBusy={save.isPending}>
          Save
        </Button>
      </div>
    </Form>
  );
}

function nameZone(zone: string, here: string): string {
  const name = zone.replaceAll('_', ' ');
  return zone === here ? `${name} (this browser)` : name;
}
