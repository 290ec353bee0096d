import type { Message, Session } from '@atrium/sdk';
import { keys } from '../../../data/query-keys.ts';
import { orNull, useFetched } from '../../../data/use-fetched.ts';
import { useSession } from '../session-context.ts';

export interface CitedMessage {
  message: Message;
  session: Pick<Session, 'id' | 'name' | 'title'>;
}

/** A message of the same project, with its session. Null if it was deleted or this person may not see it. */
export function useCitedMessage(messageId: string) {
  const { slug } = useSession();
  return useFetched(
    (orgId) => [...keys.messageSearch(orgId), 'cited', messageId],
    ({ client }, options) =>
      orNull(async (): Promise<CitedMessage | null> => {
        const message = await client.messages.get(slug, messageId, options);
        if (message.deletedAt) return null;
        const session = await client.sessions.get(slug, message.sessionId, options);
        return { message, session };
      }),
    { staleTime: 60_000 },
  );
}
