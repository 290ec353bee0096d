import type { ChatChannel } from '../../adapters/chat/provider.ts';
import type { ConnectionRow } from './connections/store.ts';
import type { MappingRow } from './mappings/store.ts';

export function presentConnection(connection: ConnectionRow) {
  return {
    id: connection.id,
    provider: connection.provider,
    displayName: connection.displayName,
    serverUrl: connection.serverUrl,
    workspaceName: connection.workspaceName,
    botName: connection.botName,
    mode: connection.mode,
    trustsEmails: connection.trustsEmails,
    status: connection.status,
    lastError: connection.lastError,
    lastEventAt: connection.lastEventAt?.toISOString() ?? null,
    createdAt: connection.createdAt.toISOString(),
  };
}

export function presentMapping(mapping: MappingRow) {
  return {
    id: mapping.id,
    projectId: mapping.projectId,
    connectionId: mapping.connectionId,
    provider: mapping.provider,
    channelId: mapping.channelId,
    channelName: mapping.channelName,
    sessionId: mapping.sessionId,
    direction: mapping.direction,
    answers: mapping.answers,
    sharesOrgMemory: mapping.sharesOrgMemory,
    status: mapping.status,
    lastError: mapping.lastError,
    gaps: mapping.gaps,
    createdById: mapping.createdById,
    createdAt: mapping.createdAt.toISOString(),
  };
}

export function presentChannel({ id, name, isPrivate, isMember }: ChatChannel) {
  return { id, name, isPrivate, isMember };
}
