const AREAS = [
  'projects',
  'sessions',
  'messages',
  'memory',
  'org',
  'keys',
  'billing',
  'mcp',
  'agents',
  'notifications',
  'tasks',
  'channels',
  'files',
  'documents',
] as const;

export type Scope = `${(typeof AREAS)[number]}:${'read' | 'write'}`;

/** What a v2 key may be allowed to do. It can never do more than its person's role allows. */
export const SCOPES = AREAS.flatMap((area): [Scope, Scope] => [`${area}:read`, `${area}:write`]);

/** What a v1 key may be allowed to do. */
export const ORG_KEY_SCOPES = ['memory:read', 'memory:write'] as const satisfies readonly Scope[];
