import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keys } from '../../../data/query-keys.ts';
import { useAuthorName } from '../../../data/queries.ts';
import { useWorkspace } from '../../../data/workspace.tsx';

/** The message that a task was made from. */
export function Source({ slug, messageId }: { slug: string; messageId: string }) {
  const { client, org } = useWorkspace();
  const authorName = useAuthorName();
  const { data: message } = useQuery({
    queryKey: [...keys.org(org.id), 'message', messageId],
    queryFn: ({ signal }) => client.messages.get(slug, messageId, { signal }),
  });
  if (!message) return null;
  return (
    <Link
      to="/p/$slug/s/$sessionId"
      params={{ slug, sessionId: message.sessionId }}
      search={{ m: message.id }}
      className="inline-flex min-h-6 items-center self-start text-note text-accent underline wrap-anywhere"
    >
      Made from a message by {authorName(message)}
    </Link>
  );
}
