import type { Session, SessionDetails } from '@atrium/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { replaceIn } from './count-message.ts';
import type { Overview } from './queries.ts';
import { keys } from './query-keys.ts';

/** Whether new messages there should catch the person's eye. */
export function isLoud({ level }: Pick<Session, 'level'>): boolean {
  return level !== 'NONE';
}

/** Puts a session that the server returned into everything that shows it. */
export function rememberSession(
  queryClient: QueryClient,
  orgId: string,
  slug: string,
  session: Session,
): void {
  queryClient.setQueryData<SessionDetails>(
    keys.session(orgId, session.id),
    (opened) => opened && { ...opened, ...session },
  );
  queryClient.setQueryData<Overview>(
    keys.overview(orgId),
    (overview) => overview && replaceIn(overview, session),
  );
  queryClient.setQueriesData<Session[]>({ queryKey: keys.sessions(orgId, slug) }, (list) =>
    Array.isArray(list) ? list.map((old) => (old.id === session.id ? session : old)) : list,
  );
}
