import { billingRoutes } from './features/billing/routes.ts';
import { accountRoutes } from './features/identity/account/routes.ts';
import { emailChangeRoutes } from './features/identity/email-changes/routes.ts';
import { identityRoutes } from './features/identity/routes.ts';
import { signInRoutes } from './features/identity/sign-in/routes.ts';
import { webSessionRoutes } from './features/identity/web-sessions/routes.ts';
import { keyRoutes } from './features/keys/routes.ts';
import { mcpRoutes } from './features/mcp/routes.ts';
import { memoryRoutes } from './features/memory/routes.ts';
import { v1MemoryRoutes } from './features/memory/v1-routes.ts';
import { messageRoutes } from './features/messages/routes.ts';
import { modelRoutes } from './features/models/routes.ts';
import { auditRoutes } from './features/org/audit-routes.ts';
import { createOrgRoutes } from './features/org/create-org-routes.ts';
import { orgRoutes } from './features/org/routes.ts';
import { orgWebRoutes } from './features/org/web-routes.ts';
import { projectRoutes } from './features/projects/routes.ts';
import { sessionRoutes } from './features/sessions/routes.ts';
import { buildOpenApi } from './http/openapi.ts';
import type { Route } from './http/route.ts';

/** Every endpoint of the API, by feature. */
export const ROUTES: readonly Route[] = [
  ...projectRoutes,
  ...sessionRoutes,
  ...messageRoutes,
  ...memoryRoutes,
  ...modelRoutes,
  ...orgRoutes,
  ...auditRoutes,
  ...keyRoutes,
  ...billingRoutes,
  ...mcpRoutes,
  ...identityRoutes,
  ...createOrgRoutes,
  ...v1MemoryRoutes,
];

/** What only the browser calls, under `/web`: in no document, and free to change with the app. */
export const WEB_ROUTES: readonly Route[] = [
  ...signInRoutes,
  ...accountRoutes,
  ...emailChangeRoutes,
  ...webSessionRoutes,
  ...orgWebRoutes,
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
      auth: ['user', 'person'],
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
        {
          name: 'Memory',
          description:
            'Notes that are found by what they mean, each seen by those it is meant for.',
        },
        { name: 'Models', description: 'Who answers when mentioned.' },
        { name: 'Org', description: 'Members, invitations and the audit log.' },
        {
          name: 'Keys',
          description: 'API keys: your own (v2), and those of the org for the v1 Memory API.',
        },
        { name: 'Billing', description: 'What the answers of models take.' },
        {
          name: 'MCP',
          description: 'Other MCP servers, whose tools a session can use when they are mentioned.',
        },
        { name: 'Identity', description: 'Who calls, and with what rights.' },
      ],
    },
    ROUTES,
  );
}

export function buildV1Document(): Record<string, unknown> {
  return buildOpenApi(
    {
      title: 'Atrium Memory API',
      version: '1.0.0',
      description: [
        'The memory of an org, for programs: notes that are found by what they mean.',
        "Keys of this surface begin with `sk_live_` and stand for the org. They see and write its ORG and PROJECT memories, and never anybody's PRIVATE ones.",
        'Envelope, errors, limits and idempotency are those of the v2 API.',
      ].join('\n\n'),
      auth: ['org-key'],
      server: '/api/v1',
      security: {
        name: 'orgKey',
        description:
          'A v1 key: `Authorization: Bearer sk_live_…`. An OWNER or ADMIN mints it with `POST /org/{orgId}/api-keys`.',
      },
      tags: [{ name: 'Memory', description: 'What the org knows.' }],
    },
    ROUTES,
  );
}
