import type { ChannelConnection } from '@atrium/sdk';
import { Badge } from '../../../ui/badge.tsx';
import { toSentence } from '../../../ui/sentence.ts';
import { Ago } from '../../../ui/time.tsx';
import { MODES, statusInWords } from './words.ts';

export function ConnectionFacts({ connection }: { connection: ChannelConnection }) {
  const { provider, serverUrl, mode, trustsEmails, lastError, lastEventAt } = connection;
  const status = statusInWords(connection);
  return (
    <dl className="grid grid-cols-1 gap-x-4 gap-y-1 text-sm sm:grid-cols-[8rem_1fr] [&>dd]:mb-2 sm:[&>dd]:mb-0 [&>dt]:text-muted">
      <dt>Status</dt>
      <dd className="flex flex-col items-start gap-1">
        <Badge tone={status.tone}>{status.name}</Badge>
        {status.about && <p>{status.about}</p>}
      </dd>
      {lastError && (
        <>
          <dt>Last error</dt>
          <dd className="text-danger wrap-anywhere">{toSentence(lastError)}</dd>
        </>
      )}
      <dt>Last event</dt>
      <dd>{lastEventAt ? <Ago at={lastEventAt} /> : 'None yet'}</dd>
      {serverUrl && (
        <>
          <dt>Server address</dt>
          <dd className="font-mono text-note wrap-anywhere">{serverUrl}</dd>
        </>
      )}
      {provider === 'SLACK' && (
        <>
          <dt>Events arrive by</dt>
          <dd>{MODES.find(([value]) => value === mode)?.[1]}</dd>
        </>
      )}
      <dt>Tokens</dt>
      <dd>Stored encrypted</dd>
      <dt>Members</dt>
      <dd>
        {trustsEmails
          ? 'Recognised by email address, verified or not'
          : 'Recognised by verified email address'}
      </dd>
    </dl>
  );
}
