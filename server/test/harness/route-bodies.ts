/** What a route's path was filled with. */
export interface Made {
  messageId?: string;
  projectId?: string;
  connectionId?: string;
  userId?: string;
}

/** What callers send, by operation. `made` has the ids for the path, and the Project of memories and agents. */
export const BODIES: Record<string, (made: Made) => object> = {
  createMemory: ({ projectId }) => ({ content: 'm', visibility: 'PROJECT', projectId }),
  v1CreateMemory: ({ projectId }) => ({ content: 'm', visibility: 'PROJECT', projectId }),
  createMemories: (made) => ({ items: [BODIES['createMemory']?.(made)] }),
  v1CreateMemories: (made) => ({ items: [BODIES['createMemory']?.(made)] }),
  searchMemories: ({ projectId }) => ({ query: 'm', projectId }),
  searchDocuments: ({ projectId }) => ({ query: 'm', projectId }),
  searchMessages: ({ projectId }) => ({ query: 'm', projectId }),
  v1SearchMemories: ({ projectId }) => ({ query: 'm', projectId }),
  updateMemory: () => ({ tags: ['t'] }),
  v1UpdateMemory: () => ({ tags: ['t'] }),
  openDirect: ({ userId }) => ({ userIds: [userId] }),
  markSessionRead: ({ messageId }) => ({ messageId }),
  markSessionUnread: ({ messageId }) => ({ messageId }),
  followSession: () => ({ level: 'MENTIONS' }),
  muteSession: () => ({ muted: true }),
  markNotificationsRead: () => ({ ids: [] }),
  createOrg: () => ({ name: 'o' }),
  createSession: () => ({ name: 's' }),
  createMessage: () => ({ body: 'm' }),
  createReminder: () => ({ text: 'r', at: new Date(Date.now() + 3_600_000).toISOString() }),
  createReaction: () => ({ emoji: '👍' }),
  updateMember: () => ({ role: 'MEMBER' }),
  createInvitation: () => ({ email: `p${Math.random()}@example.com`, role: 'MEMBER' }),
  createProject: () => ({ name: `Project ${Math.random()}` }),
  createKey: () => ({ name: 'k', scopes: ['projects:read'] }),
  createOrgApiKey: () => ({ name: 'k' }),
  createCheckout: () => ({ plan: 'pro' }),
  createTopup: () => ({ pack: 'small' }),
  createFile: () => ({ name: 'f', size: 1 }),
  createTask: () => ({ title: 't' }),
  setTaskFiles: () => ({ fileIds: [] }),
  updateTasks: () => ({ changes: [{ taskId: 'none', status: 'DONE' }] }),
  createTaskView: () => ({ name: 'v' }),
  createChannelConnection: () => ({
    provider: 'MATTERMOST',
    serverUrl: 'https://127.0.0.1',
    botToken: 't',
  }),
  createChannel: ({ connectionId }) => ({ connectionId, channelId: 'c' }),
  createAgent: ({ projectId }) => agent(projectId),
  createMcpServer: () => mcpServer(),
  createModelProvider: () => modelProvider(),
  bindMcpServer: () => ({ projectIds: [] }),
};

export function agent(projectId: string | undefined): object {
  const slug = `agent-${Math.random().toString(36).slice(2)}`;
  return { slug, name: 'a', projectIds: [projectId] };
}

/** At an address that needs no lookup, and a port that is never called. */
export function mcpServer(): object {
  const mentionSlug = `mcp-${Math.random().toString(36).slice(2)}`;
  const endpointUrl = 'https://93.184.216.34:22/mcp';
  return { displayName: 'm', mentionSlug, endpointUrl, authType: 'NONE' };
}

/** At an address like that of `mcpServer`. */
export function modelProvider(): object {
  return { kind: 'openai-compatible', name: 'm', baseUrl: 'https://93.184.216.34:22/v1' };
}
