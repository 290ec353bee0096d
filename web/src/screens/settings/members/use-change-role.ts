import type { Member } from '@atrium/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../../data/query-keys.ts';
import type { Role } from '../../../data/web-api.ts';
import { PROFILE_KEY, useWorkspace } from '../../../data/workspace.tsx';

/** Shows the new role immediately and reverts it if the server refuses. */
export function useChangeRole() {
  const { client, org, profile } = useWorkspace();
  const queryClient = useQueryClient();
  const queryKey = keys.members(org.id);
  return useMutation({
    mutationFn: async ({ userId, role }: { userId: string; role: Role }) =>
      client.org.updateMember(org.id, userId, { role }),
    async onMutate({ userId, role }) {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData<Member[]>(queryKey);
      const after = before?.map((member) =>
        member.userId === userId ? { ...member, role } : member,
      );
      queryClient.setQueryData(queryKey, after);
      return before;
    },
    onError: (_error, _change, before) => queryClient.setQueryData(queryKey, before),
    async onSettled(_member, _error, { userId }) {
      await queryClient.invalidateQueries({ queryKey });
      if (userId === profile.userId) await queryClient.invalidateQueries({ queryKey: PROFILE_KEY });
    },
  });
}
