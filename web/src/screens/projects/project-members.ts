import { useQuery } from '@tanstack/react-query';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';

/** Everyone with access to a project, whether added or not. */
export function useProjectMembers(projectId: string | undefined) {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: keys.projectMembers(org.id, projectId ?? ''),
    queryFn: async ({ signal }) =>
      (await client.projects.listMembers(projectId ?? '', { signal })).items,
    enabled: projectId !== undefined,
    staleTime: 60_000,
  });
}
