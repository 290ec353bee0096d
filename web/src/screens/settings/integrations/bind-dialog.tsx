import type { McpServer } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useProjects } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { CheckboxField } from '../../../ui/field.tsx';
import { SkeletonList } from '../../../ui/skeleton.tsx';

/** Where the integration may be mentioned: in the checked projects, or in all if none is checked. */
export function BindDialog({ server, onClose }: { server: McpServer; onClose: () => void }) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const { data: projects, error } = useProjects();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(server.projectIds));
  const binding = useMutation({
    mutationFn: () => client.mcp.bindProjects(server.id, { projectIds: [...chosen] }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.integrations(org.id) });
      onClose();
    },
  });
  const hidden =
    projects && server.projectIds.filter((id) => !projects.some((one) => one.id === id));
  function toggle(projectId: string, isChosen: boolean) {
    const next = new Set(chosen);
    if (isChosen) next.add(projectId);
    else next.delete(projectId);
    setChosen(next);
  }
  function save(event: FormEvent) {
    event.preventDefault();
    binding.mutate();
  }
  return (
    <Dialog
      title={`Projects for @${server.mentionSlug}`}
      description="Choose the projects whose sessions can mention it. If you choose none, it’s available in all of them."
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" onSubmit={save}>
        {(error ?? binding.error) && <ErrorNote error={error ?? binding.error} />}
        {!projects && !error && <SkeletonList rows={3} label="Loading projects…" />}
        {projects?.length === 0 && <p className="text-sm text-muted">No projects yet.</p>}
        {projects && projects.length > 0 && (
          <fieldset className="flex max-h-72 flex-col gap-2 overflow-y-auto rounded-md border border-line p-3">
            <legend className="sr-only">Projects</legend>
            {projects.map(({ id, name }) => (
              <CheckboxField
                key={id}
                label={name}
                dir="auto"
                className="wrap-anywhere"
                checked={chosen.has(id)}
                onChange={({ target }) => toggle(id, target.checked)}
              />
            ))}
          </fieldset>
        )}
        {hidden && hidden.length > 0 && (
          <p className="text-sm text-muted">
            Also available in {hidden.length === 1 ? 'one project' : `${hidden.length} projects`}{' '}
            that you can’t see here, such as an archived one. That won’t change.
          </p>
        )}
        <p role="status" className="text-sm">
          {chosen.size === 0
            ? 'Available in every project.'
            : `Available in ${chosen.size === 1 ? 'one project' : `${chosen.size} projects`} only.`}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={binding.isPending} disabled={!projects}>
            Save projects
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
