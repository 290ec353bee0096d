import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { Profile } from '../../data/web-api.ts';
import { PROFILE_KEY } from '../../data/workspace.tsx';

/** Clears the cache, so that nothing another person loaded in this tab is shown. */
export function useFinishSignIn(): (profile: Profile, returnTo: string) => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  return (profile, returnTo) => {
    queryClient.clear();
    queryClient.setQueryData(PROFILE_KEY, profile);
    router.history.replace(returnTo);
  };
}
