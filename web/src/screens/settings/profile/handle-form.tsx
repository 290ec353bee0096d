import { AtriumError, type Me } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useMe } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorNote, fieldErrors } from '../../../ui/error-note.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Card } from '../../../ui/page.tsx';
import { SkeletonList } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toast.tsx';
import { findHandleProblem } from './handle-problem.ts';

/** The name by which others mention the person in this organisation. */
export function HandleForm() {
  const { org } = useWorkspace();
  const { data: me, error, refetch } = useMe();
  return (
    <Card
      title="Handle"
      description={
        <span className="wrap-anywhere">
          Others in {org.name} mention you with it, and you are notified.
        </span>
      }
    >
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {!me && !error && <SkeletonList rows={1} label="Loading your handle…" />}
      {me && <HandleField me={me} />}
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
  const refused = fieldErrors(save.error)['handle'] ?? (isTaken(save.error) && save.error.message);

  function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = findHandleProblem(handle);
    setProblem(wrong);
    if (wrong === undefined) save.mutate();
  }

  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={submit}>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="Your handle"
          hint="a–z, 0–9, dots, hyphens and underscores. Older messages keep the old one."
          fieldClassName="min-w-0 flex-1 basis-52 max-w-md"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          error={problem ?? (refused || undefined)}
          value={written}
          onChange={({ target }) => setWritten(target.value)}
        />
        <Button type="submit" isBusy={save.isPending} disabled={handle === me.handle}>
          Save handle
        </Button>
      </div>
      {save.error && !refused && <ErrorNote error={save.error} />}
    </form>
  );
}

/** By somebody else, an agent or an integration, or it is a model's. */
function isTaken(error: unknown): error is AtriumError {
  return error instanceof AtriumError && error.status === 409;
}
