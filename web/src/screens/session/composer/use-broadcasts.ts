import type { Project } from '@atrium/sdk';
import { useCallback } from 'react';
import { useMembers } from '../../../data/queries.ts';
import { keys } from '../../../data/query-keys.ts';
import { useFetched } from '../../../data/use-fetched.ts';
import { useWorkspace } from '../../../data/workspace.tsx';
import { useAnswerers } from '../answerers.ts';
import { useSession } from '../session-context.ts';

/** Whether the person may use @here and @everyone in this project, by the same rule as the server. */
export function useBroadcastRule() {
  const { profile, isAdmin } = useWorkspace();
  const { project } = useSession();
  const { data: members } = useMembers();
  const { answers } = useAnswerers();
  const refusal = refuse(project, isAdmin || project?.createdById === profile.userId);
  /** Whether somebody had the word as a name before it was reserved. */
  const isTaken = useCallback(
    (word: string) => answers(word) || (members?.some(({ handle }) => handle === word) ?? false),
    [answers, members],
  );
  return { refusal, isAllowed: refusal === undefined, isTaken };
}

function refuse(project: Project | undefined, isManager: boolean): string | undefined {
  if (project?.broadcasts === 'NOBODY') return 'this project doesn’t allow it';
  if (project?.broadcasts !== 'ADMINS' || isManager) return undefined;
  return 'only admins can use it in this project';
}

/** How many people they would reach. Asked only if somebody writes one of them. */
export function useReachCounts(isNeeded: boolean) {
  const { slug, session } = useSession();
  const { data } = useFetched(
    (orgId) => [...keys.session(orgId, session.id), 'reach'],
    ({ client }, options) => client.sessions.getReach(slug, session.id, options),
    { enabled: isNeeded, staleTime: 30_000 },
  );
  return data;
}
