import { useQueryClient } from '@tanstack/react-query';
import { webApi } from '../../data/web-api.ts';
import { PROFILE_KEY } from '../../data/workspace.tsx';

/** After joining or making an org: the profile knows it, and this tab is in it. */
export function useEnterOrg(): (orgId: string) => Promise<void> {
  const queryClient = useQueryClient();
  return async (orgId) => {
    const profile = await webApi.profile();
    // Where the workspace begins when it is shown next; see data/workspace.tsx.
    sessionStorage.setItem('atrium.org', orgId);
    queryClient.setQueryData(PROFILE_KEY, profile);
  };
}
