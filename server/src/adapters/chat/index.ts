import type { ChatGuard } from './guard.ts';
import { openMattermost } from './mattermost/open-mattermost.ts';
import type { ChatProvider, ChatProviderName, ChatSettings } from './provider.ts';
import { openSlack } from './slack/open-slack.ts';

export { readSlackEvent, type SlackRequest } from './slack/slack-events.ts';
export { couldBeSlack, verifySlackRequest } from './slack/slack-signature.ts';

const PROVIDERS: Record<
  ChatProviderName,
  (settings: ChatSettings, guard: ChatGuard) => ChatProvider
> = { SLACK: openSlack, MATTERMOST: openMattermost };

/** Opens nothing yet: the first call connects. Cheap, so one can be made for each job. */
export function openChat(
  provider: ChatProviderName,
  settings: ChatSettings,
  guard: ChatGuard,
): ChatProvider {
  return PROVIDERS[provider](settings, guard);
}
