import type { Project } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';
import { toast } from '../../ui/layers/toast.tsx';

export function useRestoreProject(): (project: Project) => Promise<void> {
  const { client, org } = useWorkspace();
  const queryClient = useQueryClient();
  return async (project) => {
    await client.projects.restore(project.id);
    await queryClient.invalidateQueries({ queryKey: keys.projects(org.id) });
    toast(`${project.name} restored`);
  };
}
