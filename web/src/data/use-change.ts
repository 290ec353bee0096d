import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useWorkspace, type Workspace } from './workspace.tsx';

interface Change<Input, Output> {
  send: (from: Workspace, input: Input) => Promise<Output>;
  /** What the change affects. It is fetched again before `onDone`. */
  refetch: (orgId: string) => QueryKey;
  onDone?: (output: Output, input: Input) => unknown;
  onError?: (error: Error) => void;
}

/** Sends a change, and then fetches again what it affects. */
export function useChange<Output, Input = void>(change: Change<Input, Output>) {
  const { send, refetch, onDone, onError } = change;
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => send(workspace, input),
    async onSuccess(output, input) {
      await queryClient.invalidateQueries({ queryKey: refetch(workspace.org.id) });
      await onDone?.(output, input);
    },
    ...(onError && { onError }),
  });
}
