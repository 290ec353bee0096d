import type { ChatProviderName } from '../../adapters/chat/provider.ts';

type Field = 'serverUrl' | 'appToken' | 'signingSecret';
export type Credentials = { provider: ChatProviderName } & { [F in Field]?: string | undefined };

/** What a connection of this kind lacks, or must not have. */
export function credentialProblems(input: Credentials): { field: Field; message: string }[] {
  const { provider, serverUrl, appToken, signingSecret } = input;
  const problems: { field: Field; message: string }[] = [];
  const refuse = (field: Field, message: string) => problems.push({ field, message });
  if (provider === 'SLACK') {
    if (serverUrl !== undefined) refuse('serverUrl', 'must be omitted for Slack');
    if (appToken === undefined && signingSecret === undefined) {
      refuse('appToken', 'is required for Slack, unless there is a signingSecret');
    }
  }
  if (provider === 'MATTERMOST') {
    if (serverUrl === undefined) refuse('serverUrl', 'is required for Mattermost');
    if (appToken !== undefined) refuse('appToken', 'must be omitted for Mattermost');
    if (signingSecret !== undefined) refuse('signingSecret', 'must be omitted for Mattermost');
  }
  return problems;
}

/** With an app token, Slack needs no address of ours. Mattermost never does. */
export function modeOf({ provider, appToken }: Credentials): 'SOCKET' | 'WEBHOOK' {
  return provider === 'SLACK' && appToken === undefined ? 'WEBHOOK' : 'SOCKET';
}
