import type { MessageMatch } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { useAuthorName } from '../../data/queries.ts';
import { AgentAvatar } from '../../ui/marks/avatar.tsx';
import { PersonAvatar } from '../../shared/person/person-avatar.tsx';
import { Passage } from '../../ui/marks/passage.tsx';
import { Ago } from '../../ui/marks/time.tsx';
import { nameSession } from '../../data/all-sessions.ts';
import { DIRECT_SLUG, usePlaceName } from '../../data/direct.ts';
import { plainMatch } from './marks-of.ts';

const PASSAGE_LENGTH = 320;

/** One message that was found. It leads to its place in the session. */
export function MatchCard({ match }: { match: MessageMatch }) {
  const { message, session, project, highlights } = match;
  const author = useAuthorName()(message);
  const place = usePlaceName()({ session, project });
  return (
    <li className="flex gap-3 rounded-xl border border-line bg-surface p-4">
      {message.authorKind === 'AGENT' ? (
        <AgentAvatar slug={message.agentSlug} />
      ) : (
        <PersonAvatar userId={message.authorUserId} name={author} />
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-note text-muted">
          <bdi className="max-w-full truncate text-sm font-semibold text-ink">{author}</bdi>
          <span dir="auto" className="min-w-0 wrap-anywhere">
            {message.parentMessageId ? 'in a thread in ' : 'in '}
            {project.slug === DIRECT_SLUG ? place : `${nameSession(session)} · ${project.name}`}
          </span>
          <Ago at={message.createdAt} />
        </p>
        <Link
          to="/p/$slug/s/$sessionId"
          params={{ slug: project.slug, sessionId: session.id }}
          search={{ m: message.id }}
          data-result
          dir="auto"
          className="line-clamp-4 rounded-md wrap-anywhere hover:underline hover:decoration-line hover:underline-offset-4"
        >
          <Passage {...plainMatch(message.body, highlights)} length={PASSAGE_LENGTH} />
        </Link>
      </div>
    </li>
  );
}
