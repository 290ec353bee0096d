import type { ChannelConnection, UpdateChannelConnection } from '@atrium/sdk';
import type { Tokens } from './connection-fields.tsx';

/** Only tokens that were entered change. Without an app token, Slack sends events by its Events API. */
export function tokenChanges(
  before: Pick<ChannelConnection, 'provider' | 'mode'>,
  mode: ChannelConnection['mode'],
  { botToken, appToken, signingSecret }: Tokens,
): UpdateChannelConnection {
  const isSlack = before.provider === 'SLACK';
  const isSwitched = mode !== before.mode;
  return {
    ...(botToken && { botToken }),
    ...(isSlack && mode === 'SOCKET' && (appToken || isSwitched) && { appToken }),
    ...(isSlack && mode === 'WEBHOOK' && isSwitched && { appToken: null }),
    ...(isSlack && mode === 'WEBHOOK' && (signingSecret || isSwitched) && { signingSecret }),
  };
}
