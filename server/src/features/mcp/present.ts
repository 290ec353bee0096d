import type { McpServerRow } from './store.ts';

export function presentServer(server: McpServerRow) {
  return {
    id: server.id,
    displayName: server.displayName,
    mentionSlug: server.mentionSlug,
    endpointUrl: server.endpointUrl,
    authType: server.authType,
    hasSecret: server.sealedSecret !== null,
    projectIds: server.projectIds,
    lastTestedAt: server.lastTestedAt?.toISOString() ?? null,
    lastError: server.lastError,
    createdAt: server.createdAt.toISOString(),
  };
}
