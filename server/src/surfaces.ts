import { auditRoutes } from './features/audit/routes.ts';
import { identityRoutes } from './features/identity/routes.ts';
import { keyRoutes } from './features/keys/routes.ts';
import { messageRoutes } from './features/messages/routes.ts';
import { orgRoutes } from './features/org/routes.ts';
import { projectRoutes } from './features/projects/routes.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
import { buildOpenApi } from './http/openapi.ts';
import type { Route } from './http/route.ts';

/** Every endpoint of the API, by feature. */
export const ROUTES: readonly Route[] = [
  ...projectRoutes,
  ...sessionRoutes,
  ...messageRoutes,
  ...orgRoutes,
  ...auditRoutes,
  ...keyRoutes,
  ...identityRoutes,
];

export function buildV2Document(): Record<string, unknown> {
  return buildOpenApi(
    {
      title: 'Atrium API',
      version: '2.0.0',
      description: [
        'A team workspace: Projects, sessions, messages and memory, shared by people and AI agents.',
        'Every response is JSON in one envelope, but for 204. Clients branch on `error.code`; `error.details.reason` says more.',
        'Operations marked `x-extension` are our additions to the core.',
      ].join('\n\n'),
      auth: 'user',
      server: '/api',
      security: {
        name: 'apiKey',
        description:
          'A v2 key: `Authorization: Bearer atr_…`. It belongs to one person in one org.',
      },
      tags: [
        {
          name: 'Projects',
          description:
            'Containers of sessions and memory; in session and message paths they are called spaces.',
        },
        {
          name: 'Sessions',
          description: 'Conversations inside a Project, with read marks and unread counts.',
        },
        {
          name: 'Messages',
          description: 'What people and agents say in a session, with threads and reactions.',
        },
        { name: 'Org', description: 'Members, invitations and the audit log.' },
        {
          name: 'Keys',
          description: 'API keys: your own (v2), and those of the org for the v1 Memory API.',
        },
        { name: 'Identity', description: 'Who calls, and with what rights.' },
      ],
    },
    ROUTES,
  );
}
