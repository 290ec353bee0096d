import type { Agent } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useProjects } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { setDraft } from '../../session/composer/draft.ts';

/** Opens a session to ask the agent something in, with the mention already typed. */
export function TryDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { client, org } = useWorkspace();
  const { data: projects, error } = useProjects();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string>();
  const { slug: mention, projectIds } = agent;
  const possible = projects?.filter(({ id }) => projectIds.length === 0 || projectIds.includes(id));
  const slug = chosen ?? possible?.[0]?.slug;
  const opening = useMutation({
    mutationFn: async (project: string) =>
      client.sessions.create(project, {
        name: `Trying @${mention}`,
        description: 'A scratch session. Archive it when you’re done.',
      }),
    onSuccess: async ({ id }, project) => {
      void queryClient.invalidateQueries({ queryKey: keys.sessions(org.id, project) });
      setDraft(id, undefined, `@${mention} `);
      await navigate({ to: '/p/$slug/s/$sessionId', params: { slug: project, sessionId: id } });
    },
  });
  function open(event: FormEvent) {
    event.preventDefault();
    if (slug !== undefined) opening.mutate(slug);
  }
  return (
    <Dialog
      title={`Try @${mention}`}
      description="Opens a scratch session with the mention already typed. Everyone in the project can see it."
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" onSubmit={open}>
        {(error ?? opening.error) && <ErrorNote error={error ?? opening.error} />}
        {possible?.length === 0 ? (
          <p className="text-sm text-muted">
            There is no project here that you can open it in. Create a project first.
          </p>
        ) : (
          <SelectField
            label="Project"
            value={slug ?? ''}
            onChange={({ target }) => setChosen(target.value)}
          >
            {possible?.map((project) => (
              <option key={project.id} value={project.slug}>
                {project.name}
              </option>
            ))}
          </SelectField>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            isBusy={opening.isPending}
            disabled={slug === undefined}
          >
            Open scratch session
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
