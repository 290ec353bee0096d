import type { ChannelMapping, UpdateChannelMapping } from '@atrium/sdk';
import { keys } from '../../data/query-keys.ts';
import { useChange } from '../../data/use-change.ts';
import { useItems } from '../../data/use-fetched.ts';

/** A lost connection is no hint, and neither is each event that arrives. */
const STATUS_EVERY_MS = 15_000;

/** The org's chat connections. Only for people who may map a channel. */
export function useChatConnections(isAllowed: boolean) {
  return useItems(
    keys.chatConnections,
    ({ client }, options) => client.channels.listConnections(options),
    { enabled: isAllowed, refetchInterval: STATUS_EVERY_MS },
  );
}

/** The channels of a chat system whose names contain the query. */
export function useChatChannels(connectionId: string, query: string) {
  return useItems(
    (orgId) => [...keys.chatChannels(orgId, connectionId), query],
    ({ client }, options) => client.channels.search(connectionId, { query }, options),
    {
      placeholderData: (before) => before,
      // Asking the chat system again would use up its limits.
      retry: false,
      staleTime: 60_000,
    },
  );
}

export function useUpdateMapping({ projectId, id }: ChannelMapping) {
  return useChange({
    send: ({ client }, changes: UpdateChannelMapping) =>
      client.channels.update(projectId, id, changes),
    refetch: (orgId) => keys.projectChannels(orgId, projectId),
  });
}
