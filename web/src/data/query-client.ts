import { AtriumError } from '@atrium/sdk';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { PROFILE_KEY } from './workspace.tsx';

export function createQueryClient(): QueryClient {
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // Signed out elsewhere, or the sign-in expired: refetch the profile, and the shell shows the sign-in page.
      onError(error) {
        if (error instanceof AtriumError && error.status === 401) {
          void queryClient.invalidateQueries({ queryKey: PROFILE_KEY });
        }
      },
    }),
    // The SDK retries what is worth retrying, and live hints say when to refetch.
    defaultOptions: { queries: { retry: false, staleTime: 15_000 }, mutations: { retry: false } },
  });
  return queryClient;
}
