import type { Agent } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useProjects } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { FormDialog } from '../../../ui/forms/form.tsx';

/** Opens a session in which the agent answers every message of the person who is alone in it. */
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
    mutationFn: async (project: string) => {
      const { id } = await client.sessions.create(project, {
        name: `Trying @${mention}`,
        description: 'A scratch session. Archive it when you’re done.',
        defaultAgent: mention,
      });
      return client.sessions.update(project, id, { answersWithoutMention: true });
    },
    onSuccess: async ({ id }, project) => {
      void queryClient.invalidateQueries({ queryKey: keys.sessions(org.id, project) });
      await navigate({ to: '/p/$slug/s/$sessionId', params: { slug: project, sessionId: id } });
    },
  });
  return (
    <FormDialog
      title={`Try @${mention}`}
      description="Opens a scratch session in which it answers every message of yours, without a mention. Everyone in the project can see it."
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
          onChange={setChosen}
          options={possible?.map((project) => ({ value: project.slug, name: project.name })) ?? []}
        />
      )}
    </FormDialog>
  );
}
