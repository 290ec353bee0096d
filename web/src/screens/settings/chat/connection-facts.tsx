import type { ChannelConnection } from '@atrium/sdk';
import { Badge } from '../../../ui/marks/badge.tsx';
import { Fact, Facts, LastError } from '../../../ui/pages/facts.tsx';
import { Ago } from '../../../ui/marks/time.tsx';
import { MODES, statusInWords } from './connection-words.ts';

export function ConnectionFacts({ connection }: { connection: ChannelConnection }) {
  const { provider, serverUrl, mode, trustsEmails, lastError, lastEventAt } = connection;
  const status = statusInWords(connection);
  return (
    <Facts>
      <Fact name="Status" className="flex flex-col items-start gap-1">
        <Badge tone={status.tone}>{status.name}</Badge>
        {status.about && <p>{status.about}</p>}
      </Fact>
      <LastError text={lastError} />
      <Fact name="Last event">{lastEventAt ? <Ago at={lastEventAt} /> : 'None yet'}</Fact>
      {serverUrl && (
        <Fact name="Server address" className="font-mono text-note wrap-anywhere">
          {serverUrl}
        </Fact>
      )}
      {provider === 'SLACK' && (
        <Fact name="Events arrive by">{MODES.find(([value]) => value === mode)?.[1]}</Fact>
      )}
      <Fact name="Tokens">Stored encrypted</Fact>
      <Fact name="Members">
        {trustsEmails
          ? 'Recognised by email address, verified or not'
          : 'Recognised by verified email address'}
      </Fact>
    </Facts>
  );
}
