import type { Project } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { ProjectForm, type ProjectValues } from './project-form.tsx';

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
    <Dialog title="Edit project" onClose={onClose}>
      <ProjectForm
        project={project}
        action="Save changes"
        isBusy={update.isPending}
        error={update.error}
        onSubmit={(values) => update.mutate(values)}
      >
        <Button onClick={onClose}>Cancel</Button>
      </ProjectForm>
    </Dialog>
  );
}
