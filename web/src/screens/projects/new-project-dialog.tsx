import { useNavigate } from '@tanstack/react-router';
import { keys } from '../../data/query-keys.ts';
import { useChange } from '../../data/use-change.ts';
import { ProjectDialog, type ProjectValues } from './project-form.tsx';

export function NewProjectDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const create = useChange({
    send: ({ client }, values: ProjectValues) => client.projects.create(values),
    refetch: keys.projects,
    onDone: ({ slug }) => {
      onClose();
      void navigate({ to: '/p/$slug', params: { slug } });
    },
  });
  return (
    <ProjectDialog
      title="New project"
      description="A project keeps sessions and their memory together: for a product, a customer or a question."
      action="Create project"
      saving={create}
      onSubmit={(values) => create.mutate(values)}
      onClose={onClose}
    />
  );
}
