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
  session: (orgId: string, sessionId: string) => [orgId, 'session', sessionId] as const,
  sessionSummary: (orgId: string, sessionId: string) =>
    [orgId, 'session', sessionId, 'summary'] as const,
  messages: (orgId: string, sessionId: string) => [orgId, 'messages', sessionId] as const,
  memory: (orgId: string) => [orgId, 'memory'] as const,
  memoryRecord: (orgId: string, memoryId: string) => [orgId, 'memory', 'record', memoryId] as const,
  members: (orgId: string) => [orgId, 'members'] as const,
  invitations: (orgId: string) => [orgId, 'invitations'] as const,
  models: (orgId: string) => [orgId, 'models'] as const,
  integrations: (orgId: string) => [orgId, 'integrations'] as const,
  myKeys: (orgId: string) => [orgId, 'my-keys'] as const,
  orgKeys: (orgId: string) => [orgId, 'org-keys'] as const,
  agents: (orgId: string) => [orgId, 'agents'] as const,
  billing: (orgId: string) => [orgId, 'billing'] as const,
  audit: (orgId: string) => [orgId, 'audit'] as const,
  devices: ['devices'] as const,
};
