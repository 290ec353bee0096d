import type { ChannelConnection } from '@atrium/sdk';
import { PROVIDER_NAMES } from '../../../shared/channel-names.ts';

/** How Slack's events get here. */
export const MODES = { SOCKET: 'Socket Mode', WEBHOOK: 'Events API' };

interface StatusInWords {
  name: string;
  tone: 'good' | 'warn' | 'danger';
  /** What it means, or what to do. */
  about?: string;
}

export function statusInWords({
  status,
  provider,
  lastError,
}: Pick<ChannelConnection, 'status' | 'provider' | 'lastError'>): StatusInWords {
  const name = PROVIDER_NAMES[provider];
  if (status === 'CONNECTED') {
    return lastError === null
      ? { name: 'Connected', tone: 'good' }
      : { name: 'Connected', tone: 'warn', about: 'The last test failed.' };
  }
  if (status === 'BROKEN') {
    const about = `${name} no longer accepts the token. Enter a new one, or fix it there and test the connection. Messages wait until then.`;
    return { name: 'Not working', tone: 'danger', about };
  }
  return lastError === null
    ? { name: 'Connecting', tone: 'warn' }
    : {
        name: 'Connecting again',
        tone: 'warn',
        about: 'Atrium keeps trying. Messages wait until then.',
      };
}
