/**
 * The cache keys of lists and records. Live hints and mutations invalidate by them, so every screen uses
 * these. All begin with the org's id, so that one org never shows another's data.
 */
export const keys = {
  org: (orgId: string) => [orgId] as const,
  projects: (orgId: string) => [orgId, 'projects'] as const,
  project: (orgId: string, slug: string) => [orgId, 'projects', slug] as const,
  projectMembers: (orgId: string, projectId: string) =>
    [orgId, 'project-members', projectId] as const,
  /** The sessions of one project. Screens append the status. */
  sessions: (orgId: string, slug: string) => [orgId, 'sessions', slug] as const,
  /** The sessions of all projects that the person follows, unread ones first. */
  overview: (orgId: string) => [orgId, 'overview'] as const,
  /** The most recent of all sessions, followed or not. */
  everySession: (orgId: string) => [orgId, 'every-session'] as const,
  threads: (orgId: string) => [orgId, 'threads'] as const,
  /** How many are unread: not refetched with each message, as the list is. */
  unreadThreads: (orgId: string) => [orgId, 'unread-threads'] as const,
  session: (orgId: string, sessionId: string) => [orgId, 'session', sessionId] as const,
  sessionSummary: (orgId: string, sessionId: string) =>
    [orgId, 'session', sessionId, 'summary'] as const,
  messages: (orgId: string, sessionId: string) => [orgId, 'messages', sessionId] as const,
  /** Fetched again with the session's messages. */
  pins: (orgId: string, sessionId: string) => [orgId, 'messages', sessionId, 'pins'] as const,
  /** What the person keeps for themselves. */
  kept: (orgId: string) => [orgId, 'kept'] as const,
  saved: (orgId: string) => [orgId, 'kept', 'saved'] as const,
  reminders: (orgId: string) => [orgId, 'kept', 'reminders'] as const,
  scheduled: (orgId: string) => [orgId, 'kept', 'scheduled'] as const,
  taskViews: (orgId: string) => [orgId, 'kept', 'task-views'] as const,
  messageSearch: (orgId: string) => [orgId, 'message-search'] as const,
  /** Tasks across projects. Screens append their filters. */
  myTasks: (orgId: string) => [orgId, 'my-tasks'] as const,
  /** Every list, column and record of one project's tasks. */
  tasks: (orgId: string, projectId: string) => [orgId, 'tasks', projectId] as const,
  /** The moves on a project's board that the server has not confirmed. */
  taskMoves: (orgId: string, projectId: string) => [orgId, 'task-moves', projectId] as const,
  task: (orgId: string, projectId: string, number: number) =>
    [orgId, 'tasks', projectId, 'task', number] as const,
  /** Files, and what is listed of them. */
  files: (orgId: string) => [orgId, 'files'] as const,
  file: (orgId: string, fileId: string) => [orgId, 'files', 'file', fileId] as const,
  projectFiles: (orgId: string, projectId: string) =>
    [orgId, 'files', 'project', projectId] as const,
  fileUsage: (orgId: string) => [orgId, 'files', 'usage'] as const,
  memory: (orgId: string) => [orgId, 'memory'] as const,
  memoryRecord: (orgId: string, memoryId: string) => [orgId, 'memory', 'record', memoryId] as const,
  /** What the person was told. */
  notifications: (orgId: string) => [orgId, 'notifications'] as const,
  /** The organisation with its settings. */
  orgDetails: (orgId: string) => [orgId, 'details'] as const,
  me: (orgId: string) => [orgId, 'me'] as const,
  members: (orgId: string) => [orgId, 'members'] as const,
  invitations: (orgId: string) => [orgId, 'invitations'] as const,
  /** The models that answer, and below it their providers. */
  models: (orgId: string) => [orgId, 'models'] as const,
  modelProviders: (orgId: string) => [orgId, 'models', 'providers'] as const,
  /** What a provider offers, to choose from. */
  offeredModels: (orgId: string, providerId: string) =>
    [orgId, 'offered-models', providerId] as const,
  chatConnections: (orgId: string) => [orgId, 'chat-connections'] as const,
  /** Channels that a chat system has. Screens append what is searched for. */
  chatChannels: (orgId: string, connectionId: string) =>
    [orgId, 'chat-channels', connectionId] as const,
  /** The mapped chat channels of every project. */
  channels: (orgId: string) => [orgId, 'channels'] as const,
  projectChannels: (orgId: string, projectId: string) => [orgId, 'channels', projectId] as const,
  integrations: (orgId: string) => [orgId, 'integrations'] as const,
  myKeys: (orgId: string) => [orgId, 'my-keys'] as const,
  orgKeys: (orgId: string) => [orgId, 'org-keys'] as const,
  agents: (orgId: string) => [orgId, 'agents'] as const,
  billing: (orgId: string) => [orgId, 'billing'] as const,
  audit: (orgId: string) => [orgId, 'audit'] as const,
  devices: ['devices'] as const,
  serverInfo: ['server-info'] as const,
};
