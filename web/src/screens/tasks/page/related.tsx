import type { Message, Task } from '@atrium/sdk';
import { plainlySaidIn } from '../../../shared/plain-words.ts';
import { Link } from '@tanstack/react-router';
import { keys } from '../../../data/query-keys.ts';
import { useAuthorName } from '../../../data/queries.ts';
import { orNull, useFetched } from '../../../data/use-fetched.ts';
import { PersonAvatar } from '../../../shared/person/person-avatar.tsx';
import { AgentAvatar } from '../../../ui/marks/avatar.tsx';
import { Ago } from '../../../ui/marks/time.tsx';

const MOST = 5;
/** How many messages with the number are looked at: some mean something else by it. */
const LOOKED_AT = 20;
const SHOWN_LENGTH = 140;

/** The message that the task was made from, and those that name it. */
export function Related({ task, slug }: { task: Task; slug: string }) {
  const source = useSource(task, slug);
  const naming = useNaming(task);
  const others = naming.filter(({ id }) => id !== source?.id).slice(0, MOST);
  if (!source && others.length === 0) return null;
  return (
    <section className="flex flex-col gap-1">
      <h2 className="text-sm font-semibold">Related messages</h2>
      <ul aria-label="Related messages" className="-mx-2 flex flex-col">
        {source && <RelatedMessage message={source} slug={slug} isSource />}
        {others.map((message) => (
          <RelatedMessage key={message.id} message={message} slug={slug} />
        ))}
      </ul>
    </section>
  );
}

interface RelatedMessageProps {
  message: Message;
  slug: string;
  isSource?: boolean;
}

function RelatedMessage({ message, slug, isSource = false }: RelatedMessageProps) {
  const { sessionId, parentMessageId: thread } = message;
  const name = useAuthorName()(message);
  return (
    <li>
      <Link
        to="/p/$slug/s/$sessionId"
        params={{ slug, sessionId }}
        search={{ m: message.id, ...(thread && { thread }) }}
        className="flex min-h-8 min-w-0 items-center gap-2 rounded-md px-2 py-1 text-sm hover:bg-hover"
      >
        {message.authorKind === 'AGENT' ? (
          <AgentAvatar size="tiny" />
        ) : (
          <PersonAvatar userId={message.authorUserId} name={name} size="tiny" />
        )}
        <span className="shrink-0 text-note text-muted">
          {isSource ? `Made from a message by ${name}` : name}
        </span>
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {plainlySaidIn(message).slice(0, SHOWN_LENGTH)}
        </span>
        <span className="shrink-0 text-note text-muted max-sm:hidden">
          <Ago at={message.createdAt} />
        </span>
      </Link>
    </li>
  );
}

function useSource({ sourceMessageId: id }: Task, slug: string): Message | undefined {
  const { data } = useFetched(
    (orgId) => [...keys.org(orgId), 'message', id],
    ({ client }, options) => orNull(() => client.messages.get(slug, id ?? '', options)),
    { enabled: id !== null },
  );
  return data ?? undefined;
}

/** Those that name the task as `#12`, newest first, without its own discussion. */
function useNaming({ projectId, number, sessionId }: Task): Message[] {
  const { data } = useFetched(
    (orgId) => [...keys.messageSearch(orgId), 'naming', projectId, number],
    async ({ client }, options) => {
      const query = `"${number}"`;
      const { items } = await client.messages.search(
        { query, projectId, limit: LOOKED_AT },
        options,
      );
      return items.map(({ message }) => message);
    },
    { staleTime: 60_000 },
  );
  const name = new RegExp(`(?<![\\p{L}\\p{N}_#&/.:])#${number}(?![\\p{L}\\p{N}_])`, 'u');
  return (data ?? [])
    .filter((message) => message.sessionId !== sessionId && name.test(message.body))
    .toSorted((left, right) => right.createdAt.localeCompare(left.createdAt));
}
