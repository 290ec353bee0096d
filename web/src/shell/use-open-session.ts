import type { Session } from '@atrium/sdk';
import { useParams } from '@tanstack/react-router';
import { keys } from '../data/query-keys.ts';
import { useFetched } from '../data/use-fetched.ts';

/** The session on the page, which its screen fetches. */
export function useOpenSession(): Session | undefined {
  const { slug = '', sessionId = '' } = useParams({ strict: false });
  const { data } = useFetched<Session>(
    (orgId) => keys.session(orgId, sessionId),
    ({ client }, options) => client.sessions.get(slug, sessionId, options),
    { enabled: false },
  );
  return data;
}
