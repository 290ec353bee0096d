import { AtriumError, type Message, type Session } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { keys } from '../../../data/query-keys.ts';
import { useWorkspace } from '../../../data/workspace.tsx';

export interface CitedMessage {
  message: Message;
  session: Pick<Session, 'id' | 'name' | 'title'>;
}

/** A message of the same project, with its session. Null if it was deleted or this person may not see it. */
export function useCitedMessage(slug: string, messageId: string) {
  const { client, org } = useWorkspace();
  return useQuery({
    queryKey: [...keys.messageSearch(org.id), 'cited', messageId],
    queryFn: async ({ signal }): Promise<CitedMessage | null> => {
      try {
        const message = await client.messages.get(slug, messageId, { signal });
        if (message.deletedAt) return null;
        const session = await client.sessions.get(slug, message.sessionId, { signal });
        return { message, session };
      } catch (error) {
        if (error instanceof AtriumError && error.status === 404) return null;
        throw error;
      }
    },
    staleTime: 60_000,
  });
}
