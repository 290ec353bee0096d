import type { McpServer } from '@atrium/sdk';
import { useState } from 'react';
import { keys } from '../../../data/query-keys.ts';
import { useProjects } from '../../../data/queries.ts';
import { useChange } from '../../../data/use-change.ts';
import { FormDialog } from '../../../ui/forms/form.tsx';
import { ProjectChecklist } from '../project-checklist.tsx';

/** Where the integration may be mentioned: in the checked projects, or in all if none is checked. */
export function BindDialog({ server, onClose }: { server: McpServer; onClose: () => void }) {
  const { data: projects } = useProjects();
  const [chosen, setChosen] = useState(server.projectIds);
  const binding = useChange({
    send: ({ client }) => client.mcp.bindProjects(server.id, { projectIds: chosen }),
    refetch: keys.integrations,
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Projects for @${server.mentionSlug}`}
      description="Choose the projects whose sessions can mention it. If you choose none, it’s available in all of them."
      action="Save projects"
      saving={binding}
      isDisabled={!projects}
      onSubmit={() => binding.mutate()}
      onClose={onClose}
    >
      <ProjectChecklist value={chosen} onChange={setChosen} />
      <p role="status" className="text-sm">
        {chosen.length === 0
          ? 'Available in every project.'
          : `Available in ${chosen.length === 1 ? 'one project' : `${chosen.length} projects`} only.`}
      </p>
    </FormDialog>
  );
}
