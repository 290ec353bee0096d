import type { ChannelMapping } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { useSessions } from '../../data/queries.ts';
import { Badge } from '../../ui/marks/badge.tsx';
import { Fact, Facts, LastError } from '../../ui/pages/facts.tsx';
import { nameSession } from '../../data/all-sessions.ts';
import { ANSWERS, DIRECTIONS, STATUSES } from './mapping-words.ts';

export function MappingFacts({ slug, mapping }: { slug: string; mapping: ChannelMapping }) {
  const { data: sessions } = useSessions(slug);
  const { sessionId, direction, answers, sharesOrgMemory, lastError } = mapping;
  const session = sessions?.find(({ id }) => id === sessionId);
  const status = STATUSES[mapping.status];
  return (
    <Facts>
      <Fact name="Status">
        <Badge tone={status.tone}>{status.name}</Badge>
        {mapping.status === 'PAUSED' && (
          <span className="ml-2">Messages stay where they are written.</span>
        )}
      </Fact>
      <LastError text={lastError} />
      <Fact name="Session">
        <Link
          to="/p/$slug/s/$sessionId"
          params={{ slug, sessionId }}
          dir="auto"
          className="inline-flex min-h-6 max-w-full items-center text-accent underline wrap-anywhere"
        >
          {session ? nameSession(session) : 'Open session'}
        </Link>
      </Fact>
      <Fact name="Messages go">{DIRECTIONS[direction]}</Fact>
      <Fact name="Agents answer">{ANSWERS[answers]}</Fact>
      <Fact name="Organisation’s memory">{sharesOrgMemory ? 'Agents may use it' : 'Not used'}</Fact>
    </Facts>
  );
}
