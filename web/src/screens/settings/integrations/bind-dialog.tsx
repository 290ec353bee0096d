import type { McpServer } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useProjects } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { ProjectChecklist } from '../project-checklist.tsx';

/** Where the integration may be mentioned: in the checked projects, or in all if none is checked. */
export function BindDialog({ server, onClose }: { server: McpServer; onClose: () => void }) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const { data: projects } = useProjects();
  const [chosen, setChosen] = useState(server.projectIds);
  const binding = useMutation({
    mutationFn: () => client.mcp.bindProjects(server.id, { projectIds: chosen }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.integrations(org.id) });
      onClose();
    },
  });
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
        {binding.error && <ErrorNote error={binding.error} />}
        <ProjectChecklist value={chosen} onChange={setChosen} />
        <p role="status" className="text-sm">
          {chosen.length === 0
            ? 'Available in every project.'
            : `Available in ${chosen.length === 1 ? 'one project' : `${chosen.length} projects`} only.`}
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
