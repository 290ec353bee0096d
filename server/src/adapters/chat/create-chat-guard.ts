import type { Config } from '../../config/config.ts';
import { createSafeFetch } from '../safe-fetch/create-safe-fetch.ts';
import type { SafeFetchOptions } from '../safe-fetch/safe-fetch.ts';
import type { ChatGuard } from './guard.ts';

/** Calls to chat systems: to public addresses, to hosts that the operator lists, and to SLACK_API_BASE. */
export function createChatGuard(
  { chatAllowHosts, slackOrigin }: Pick<Config, 'chatAllowHosts' | 'slackOrigin'>,
  network: Omit<SafeFetchOptions, 'allowHosts' | 'allowVariable'>,
): ChatGuard {
  const slackHosts = slackOrigin === undefined ? [] : [hostOf(slackOrigin)];
  return {
    safeFetch: createSafeFetch({
      ...network,
      allowHosts: [...chatAllowHosts, ...slackHosts],
      allowVariable: 'CHAT_ALLOW_HOSTS',
    }),
    ...(slackOrigin !== undefined && { slackOrigin }),
  };
}

function hostOf(origin: string): string {
  const { hostname, port } = new URL(origin);
  return `${hostname}:${port || 443}`;
}
