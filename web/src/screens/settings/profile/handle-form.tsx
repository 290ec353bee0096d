import { AtriumError, type Me } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useMe } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { fieldErrors, FieldForm } from '../../../ui/forms/form.tsx';
import { Loading } from '../../../ui/states/loading.tsx';
import { Card } from '../../../ui/pages/page.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { findHandleProblem } from './handle-problem.ts';

/** The name by which others mention the person in this organisation. */
export function HandleForm() {
  const { org } = useWorkspace();
  const me = useMe();
  return (
    <Card
      title="Handle"
      description={
        <span className="wrap-anywhere">
          Others in {org.name} mention you with it, and you are notified.
        </span>
      }
    >
      <Loading of={me} rows={1} label="Loading your handle…" />
      {me.data && <HandleField me={me.data} />}
    </Card>
  );
}

function HandleField({ me }: { me: Me }) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const [written, setWritten] = useState(me.handle ?? '');
  const [problem, setProblem] = useState<string>();
  const handle = written.trim().replace(/^@/, '').toLowerCase();
  const save = useMutation({
    mutationFn: async () => client.identity.update({ handle }),
    onSuccess(saved) {
      queryClient.setQueryData(keys.me(org.id), saved);
      setWritten(saved.handle ?? '');
      toast(`Handle saved: @${saved.handle}`);
      return queryClient.invalidateQueries({ queryKey: keys.members(org.id) });
    },
  });
  const refused =
    fieldErrors(save.error)['handle'] ?? (isTaken(save.error) ? save.error.message : undefined);

  function submit() {
    const wrong = findHandleProblem(handle);
    setProblem(wrong);
    if (wrong === undefined) save.mutate();
  }

  return (
    <FieldForm
      action="Save handle"
      saving={save}
      problem={refused}
      isDisabled={handle === me.handle}
      noValidate
      onSubmit={submit}
    >
      <TextField
        label="Your handle"
        hint="a–z, 0–9, dots, hyphens and underscores. Older messages keep the old one."
        fieldClassName="min-w-0 flex-1 basis-52 max-w-md"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        error={problem ?? refused}
        value={written}
        onChange={({ target }) => setWritten(target.value)}
      />
    </FieldForm>
  );
}

/** By somebody else, an agent or an integration, or it is a model's. */
function isTaken(error: unknown): error is AtriumError {
  return error instanceof AtriumError && error.status === 409;
}
