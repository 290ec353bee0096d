import type { Session } from '@atrium/sdk';
import { useCallback, useMemo } from 'react';
import { DIRECT_SLUG } from '../../../server/src/access/direct.ts';
import { nameSession, recency } from './all-sessions.ts';
import { useOverview, usePeople } from './queries.ts';
import { useWorkspace } from './workspace.tsx';

/** Direct conversations: what a few people say to each other, outside projects. */

export { DIRECT_SLUG };

export function isDirect({ kind }: Pick<Session, 'kind'>): boolean {
  return kind === 'DIRECT';
}

/** The person's direct conversations, most recent first. Undefined until loaded. */
export function useDirectSessions(): Session[] | undefined {
  const { data } = useOverview();
  return useMemo(
    () => data?.sessions.filter(isDirect).toSorted((a, b) => recency(b).localeCompare(recency(a))),
    [data],
  );
}

/** The others in a conversation. */
export function othersIn({ participantUserIds }: Session, userId: string): string[] {
  return participantUserIds.filter((id) => id !== userId);
}

/** What to call a session: its title, the people of a direct conversation, or its name. */
export function useSessionName(): (session: Session) => string {
  const { profile } = useWorkspace();
  const person = usePeople();
  return useCallback(
    (session) => {
      if (!isDirect(session) || session.title !== null) return nameSession(session);
      const names = othersIn(session, profile.userId).map((id) => person(id).name);
      return names.join(', ');
    },
    [profile.userId, person],
  );
}

interface Place {
  session: Pick<Session, 'id' | 'name' | 'title'>;
  project: { slug: string; name: string };
}

/** Where something was said, in words. A direct conversation is in no project. */
export function usePlaceName(): (place: Place) => string {
  const sessions = useDirectSessions();
  const nameOf = useSessionName();
  return ({ session, project }) => {
    if (project.slug !== DIRECT_SLUG) return `${nameSession(session)} in ${project.name}`;
    const known = sessions?.find(({ id }) => id === session.id);
    return known ? `Direct message with ${nameOf(known)}` : nameSession(session);
  };
}
