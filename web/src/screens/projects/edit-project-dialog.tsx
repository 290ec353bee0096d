import type { Project } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { toast } from '../../ui/layers/toast.tsx';
import { ProjectDialog, type ProjectValues } from './project-form.tsx';

export function EditProjectDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const update = useMutation({
    mutationFn: async (values: ProjectValues) => {
      await client.projects.update(project.id, values);
      await queryClient.invalidateQueries({ queryKey: keys.projects(org.id) });
      await queryClient.invalidateQueries({ queryKey: keys.projectMembers(org.id, project.id) });
    },
    onSuccess: () => {
      onClose();
      toast('Project updated');
    },
  });
  return (
    <ProjectDialog
      title="Edit project"
      action="Save changes"
      project={project}
      saving={update}
      onSubmit={(values) => update.mutate(values)}
      onClose={onClose}
    />
  );
}
