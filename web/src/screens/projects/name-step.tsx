import { AtriumError } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { slugify } from '../../../../server/src/text/slug.ts';
import { keys } from '../../data/query-keys.ts';
import { useAgents, useMe, useMembers, useModels } from '../../data/queries.ts';
import { PROFILE_KEY, useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { fieldErrors, Form, SaveError } from '../../ui/forms/form.tsx';
import { Card } from '../../ui/pages/page.tsx';
import { toast } from '../../ui/layers/toast.tsx';
import { proposeHandle } from './propose-handle.ts';

const KEPT = 'atrium.kept-name';

/** Asks a new person for their name and handle, which come from their address until they give others. */
export function NameStep() {
  const { client, profile, org } = useWorkspace();
  const queryClient = useQueryClient();
  const { data: me } = useMe();
  const { data: members } = useMembers();
  const [name, setName] = useState('');
  const [written, setWritten] = useState<string>();
  const [isKept, setKept] = useState(() => localStorage.getItem(KEPT) === profile.userId);
  const { data: models } = useModels();
  const { data: agents } = useAgents();
  const others = members?.filter(({ userId }) => userId !== profile.userId);
  const taken = new Set([
    ...(others?.flatMap(({ handle }) => handle ?? []) ?? []),
    ...[models, agents].flatMap((named) => named?.map(({ slug }) => slug) ?? []),
  ]);
  // Until it is known which are taken, none can be proposed.
  const canPropose = written !== undefined || Boolean(members && models && agents);
  const proposed = proposeHandle(slugify(name), taken) ?? me?.handle ?? '';
  const handle = (written ?? proposed).trim().replace(/^@/, '').toLowerCase();
  const save = useMutation({
    mutationFn: async () => client.identity.update({ name: name.trim(), handle }),
    onSuccess(saved) {
      toast(`Saved. Others mention you as @${saved.handle}`);
      queryClient.setQueryData(keys.me(org.id), saved);
      return Promise.all([
        queryClient.invalidateQueries({ queryKey: PROFILE_KEY }),
        queryClient.invalidateQueries({ queryKey: keys.members(org.id) }),
      ]);
    },
  });
  if (isKept || profile.name !== profile.email.slice(0, profile.email.indexOf('@'))) return null;
  const refused = fieldErrors(save.error);
  const isTaken = save.error instanceof AtriumError && save.error.reason === 'slug_taken';
  const handleProblem = refused['handle'] ?? (isTaken ? save.error?.message : undefined);
  const problems = { ...refused, ...(handleProblem !== undefined && { handle: handleProblem }) };
  return (
    <Card
      title="What should people call you?"
      description={`Your name is next to everything you write, and others mention you by your handle. Right now you’re “${profile.name}”${me?.handle ? `, or @${me.handle}` : ''}.`}
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
        <TextField
          label="Your handle"
          fieldClassName="min-w-0 flex-1 basis-40 max-w-64"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={33}
          required
          error={handleProblem}
          value={written ?? proposed}
          onChange={({ target }) => setWritten(target.value)}
        />
        <Button
          type="submit"
          look="primary"
          isBusy={save.isPending}
          disabled={name.trim() === '' || handle === '' || !canPropose}
        >
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
      <SaveError saving={save} problems={problems} />
    </Card>
  );
}
