import { useQuery } from '@tanstack/react-query';
import { keys } from '../../data/query-keys.ts';
import { useWorkspace } from '../../data/workspace.tsx';

/** Who belongs to a Project, whatever its access. */
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
