import type { ChatGuard } from './guard.ts';
import { openMattermost } from './mattermost/open-mattermost.ts';
import type { ChatProvider, ChatProviderName, ChatSettings } from './provider.ts';
import { openSlack } from './slack/open-slack.ts';

/** Opens nothing yet: the first call connects. Cheap, so one can be made for each job. */
export function openChat(
  provider: ChatProviderName,
  settings: ChatSettings,
  guard: ChatGuard,
): ChatProvider {
  return provider === 'SLACK' ? openSlack(settings, guard) : openMattermost(settings, guard);
}
