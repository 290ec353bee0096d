import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProjectForm, type ProjectValues } from './project-form.tsx';

export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: async (values: ProjectValues) => {
      const project = await client.projects.create(values);
      await queryClient.invalidateQueries({ queryKey: keys.projects(org.id) });
      return project;
    },
    onSuccess: ({ slug }) => {
      onClose();
      void navigate({ to: '/p/$slug', params: { slug } });
    },
  });
  return (
    <Dialog
      title="New project"
      description="A project keeps sessions and their memory together: for a product, a customer or a question."
      onClose={onClose}
    >
      <ProjectForm
        action="Create project"
        isBusy={create.isPending}
        error={create.error}
        onSubmit={(values) => create.mutate(values)}
      >
        <Button onClick={onClose}>Cancel</Button>
      </ProjectForm>
    </Dialog>
  );
}
