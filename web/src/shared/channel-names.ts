import type { ChannelMapping } from '@atrium/sdk';

export const PROVIDER_NAMES: Record<ChannelMapping['provider'], string> = {
  SLACK: 'Slack',
  MATTERMOST: 'Mattermost',
};

/** What people call a mapped channel: "#general on Slack". */
export function nameChannel({ channelName, provider }: ChannelMapping): string {
  return `#${channelName} on ${PROVIDER_NAMES[provider]}`;
}

/** In one line, who outside reads what is written in the session, or why nobody does. */
export function nameReaders(mapping: ChannelMapping): string {
  const channel = nameChannel(mapping);
  if (mapping.status === 'PAUSED') return `${channel} is paused`;
  if (mapping.status === 'BROKEN') return `${channel} isn’t working`;
  return mapping.direction === 'IN'
    ? `Messages from ${channel} appear here`
    : `Everyone in ${channel} reads this session`;
}
