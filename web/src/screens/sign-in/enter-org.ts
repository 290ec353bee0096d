import { useQueryClient } from '@tanstack/react-query';
import { webApi } from '../../data/web-api.ts';
import { PROFILE_KEY } from '../../data/workspace.tsx';

/** After joining or creating an org: reloads the profile and switches this tab to the org. */
export function useEnterOrg(): (orgId: string) => Promise<void> {
  const queryClient = useQueryClient();
  return async (orgId) => {
    const profile = await webApi.profile();
    // The workspace starts in this org; see data/workspace.tsx.
    sessionStorage.setItem('atrium.org', orgId);
    queryClient.setQueryData(PROFILE_KEY, profile);
  };
}
