import type { ChannelMapping } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { useSessions } from '../../data/queries.ts';
import { Badge } from '../../ui/badge.tsx';
import { toSentence } from '../../ui/sentence.ts';
import { nameSession } from '../shell/all-sessions.ts';
import { ANSWERS, DIRECTIONS, STATUSES } from './words.ts';

export function MappingFacts({ slug, mapping }: { slug: string; mapping: ChannelMapping }) {
  const { data: sessions } = useSessions(slug);
  const { sessionId, direction, answers, sharesOrgMemory, lastError } = mapping;
  const session = sessions?.find(({ id }) => id === sessionId);
  const status = STATUSES[mapping.status];
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-1 text-sm sm:grid-cols-[11rem_1fr] [&>dd]:mb-2 sm:[&>dd]:mb-0 [&>dt]:text-muted">
      <dt>Status</dt>
      <dd>
        <Badge tone={status.tone}>{status.name}</Badge>
        {mapping.status === 'PAUSED' && (
          <span className="ml-2">Messages stay where they are written.</span>
        )}
      </dd>
      {lastError && (
        <>
          <dt>Last error</dt>
          <dd className="text-danger wrap-anywhere">{toSentence(lastError)}</dd>
        </>
      )}
      <dt>Session</dt>
      <dd className="min-w-0">
        <Link
          to="/p/$slug/s/$sessionId"
          params={{ slug, sessionId }}
          dir="auto"
          className="inline-flex min-h-6 max-w-full items-center text-accent underline wrap-anywhere"
        >
          {session ? nameSession(session) : 'Open session'}
        </Link>
      </dd>
      <dt>Messages go</dt>
      <dd>{DIRECTIONS[direction]}</dd>
      <dt>Agents answer</dt>
      <dd>{ANSWERS[answers]}</dd>
      <dt>Organisation’s memory</dt>
      <dd>{sharesOrgMemory ? 'Agents may use it' : 'Not used'}</dd>
    </dl>
  );
}
