import type { Agent } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useProjects } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { SelectField } from '../../../ui/forms/field.tsx';
import { FormDialog } from '../../../ui/forms/form.tsx';
import { setDraft } from '../../../data/device/drafts.ts';

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
  return (
    <FormDialog
      title={`Try @${mention}`}
      description="Opens a scratch session with the mention already typed. Everyone in the project can see it."
      action="Open scratch session"
      saving={{ isPending: opening.isPending, error: error ?? opening.error }}
      isDisabled={slug === undefined}
      onSubmit={() => slug !== undefined && opening.mutate(slug)}
      onClose={onClose}
    >
      {possible?.length === 0 ? (
        <p className="text-sm text-muted">
          There is no project here that you can open it in. Create a project first.
        </p>
      ) : (
        <SelectField
          label="Project"
          value={slug ?? ''}
          onChange={({ target }) => setChosen(target.value)}
          options={possible?.map((project) => [project.slug, project.name]) ?? []}
        />
      )}
    </FormDialog>
  );
}
