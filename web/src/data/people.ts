import type { Member } from '@atrium/sdk';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { useHints, type Hint } from './live.ts';
import { followOwnState } from './own-state.ts';
import { keys } from './query-keys.ts';
import { useMembers } from './queries.ts';
import { useWorkspace, type Workspace } from './workspace.tsx';

/** Fetches one member again, instead of everybody. Nobody waits for it. */
export async function refetchMember(
  queryClient: QueryClient,
  { client, org, profile }: Workspace,
  userId: string,
): Promise<void> {
  if (userId === profile.userId) void queryClient.invalidateQueries({ queryKey: keys.me(org.id) });
  const key = keys.members(org.id);
  if (!queryClient.getQueryData(key)) return;
  try {
    const member = await client.org.getMember(org.id, userId);
    replaceMember(queryClient, org.id, member);
  } catch {
    void queryClient.invalidateQueries({ queryKey: key });
  }
}

export function replaceMember(queryClient: QueryClient, orgId: string, changed: Member): void {
  queryClient.setQueryData<Member[]>(keys.members(orgId), (members) =>
    members?.map((member) => (member.userId === changed.userId ? changed : member)),
  );
}

/** A timer takes no more than this. */
const LONGEST_WAIT_MS = 24 * 3_600_000;

/**
 * Mounted once, after the page. Fetches people who have changed, takes away each status at its end, and says which
 * time zone the person is in if nobody has.
 */
export function PeopleUpkeep(): null {
  const workspace = useWorkspace();
  const { org, client, profile } = workspace;
  const queryClient = useQueryClient();
  const { data: members } = useMembers();
  const hear = useCallback(
    (hint: Hint) => {
      if (hint.type === 'member.updated') void refetchMember(queryClient, workspace, hint.userId);
    },
    [queryClient, workspace],
  );
  useHints(hear);
  useEffect(() => {
    const stopping = new AbortController();
    followOwnState(stopping.signal);
    return () => stopping.abort();
  }, []);
  useEffect(() => {
    const ends = members?.flatMap(({ status }) => (status?.until ? Date.parse(status.until) : []));
    if (!ends || ends.length === 0) return undefined;
    const wait = Math.min(Math.max(0, Math.min(...ends) - Date.now()), LONGEST_WAIT_MS);
    const timer = setTimeout(() => endStatuses(queryClient, org.id), wait + 50);
    return () => clearTimeout(timer);
  }, [members, queryClient, org.id]);
  const isUnknown = members?.find((one) => one.userId === profile.userId)?.timeZone === null;
  useEffect(() => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    // It can wait: a browser whose zone the server doesn't know asks once each time the app starts.
    if (isUnknown && timeZone) client.identity.update({ timeZone }).catch(() => {});
  }, [isUnknown, client]);
  return null;
}

function endStatuses(queryClient: QueryClient, orgId: string): void {
  const now = Date.now();
  queryClient.setQueryData<Member[]>(keys.members(orgId), (members) =>
    members?.map((member) => {
      const { until } = member.status ?? {};
      return until && Date.parse(until) <= now ? { ...member, status: null } : member;
    }),
  );
  void queryClient.invalidateQueries({ queryKey: keys.me(orgId) });
}
