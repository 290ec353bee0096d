import { Link } from '@tanstack/react-router';
import { keys } from '../../../data/query-keys.ts';
import { useAuthorName } from '../../../data/queries.ts';
import { useFetched } from '../../../data/use-fetched.ts';

/** The message that a task was made from. */
export function Source({ slug, messageId }: { slug: string; messageId: string }) {
  const authorName = useAuthorName();
  const { data: message } = useFetched(
    (orgId) => [...keys.org(orgId), 'message', messageId],
    ({ client }, options) => client.messages.get(slug, messageId, options),
  );
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
