import { agentRoutes } from '../features/agents/routes.ts';
import { billingRoutes } from '../features/billing/routes.ts';
import { channelRoutes } from '../features/channels/routes.ts';
import { documentRoutes } from '../features/documents/routes.ts';
import { fileRoutes } from '../features/files/routes.ts';
import { accountRoutes } from '../features/identity/account/routes.ts';
import { emailChangeRoutes } from '../features/identity/email-changes/routes.ts';
import { identityRoutes } from '../features/identity/routes.ts';
import { signInRoutes } from '../features/identity/sign-in/routes.ts';
import { webSessionRoutes } from '../features/identity/web-sessions/routes.ts';
import { keyRoutes } from '../features/keys/routes.ts';
import { mcpRoutes } from '../features/mcp/routes.ts';
import { liveWebRoutes } from '../features/live/web-routes.ts';
import { memoryRoutes } from '../features/memory/routes.ts';
import { v1MemoryRoutes } from '../features/memory/v1-routes.ts';
import { memoryWebRoutes } from '../features/memory/web-routes.ts';
import { keepingRoutes } from '../features/messages/keeping-routes.ts';
import { messageRoutes } from '../features/messages/routes.ts';
import { scheduledRoutes } from '../features/messages/scheduled-routes.ts';
import { modelRoutes } from '../features/models/routes.ts';
import { auditRoutes } from '../features/org/audit-routes.ts';
import { createOrgRoutes } from '../features/org/create-org-routes.ts';
import { orgExportRoutes } from '../features/org/export-routes.ts';
import { orgRoutes } from '../features/org/routes.ts';
import { orgWebRoutes } from '../features/org/web-routes.ts';
import { notificationRoutes } from '../features/notifications/routes.ts';
import { projectRoutes } from '../features/projects/routes.ts';
import { reminderRoutes } from '../features/reminders/routes.ts';
import { sessionRoutes } from '../features/sessions/routes.ts';
import { sessionWebRoutes } from '../features/sessions/web-routes.ts';
import { taskRoutes } from '../features/tasks/routes.ts';
import { taskViewRoutes } from '../features/tasks/view-routes.ts';
import { buildOpenApi } from '../http/docs/openapi.ts';
import type { Route } from '../http/route.ts';

/** Every endpoint of the API, by feature. */
export const ROUTES: readonly Route[] = [
  ...projectRoutes,
  ...sessionRoutes,
  ...messageRoutes,
  ...keepingRoutes,
  ...scheduledRoutes,
  ...memoryRoutes,
  ...documentRoutes,
  ...modelRoutes,
  ...agentRoutes,
  ...notificationRoutes,
  ...reminderRoutes,
  ...taskRoutes,
  ...taskViewRoutes,
  ...channelRoutes,
  ...fileRoutes,
  ...orgRoutes,
  ...auditRoutes,
  ...orgExportRoutes,
  ...keyRoutes,
  ...billingRoutes,
  ...mcpRoutes,
  ...identityRoutes,
  ...createOrgRoutes,
  ...v1MemoryRoutes,
];

/** Endpoints that only the web app calls, under `/web`. They are not documented and change with the app. */
export const WEB_ROUTES: readonly Route[] = [
  ...signInRoutes,
  ...accountRoutes,
  ...emailChangeRoutes,
  ...webSessionRoutes,
  ...orgWebRoutes,
  ...sessionWebRoutes,
  ...liveWebRoutes,
  ...memoryWebRoutes,
];

export function buildV2Document(): Record<string, unknown> {
  return buildOpenApi(
    {
      title: 'Atrium API',
      version: '2.0.0',
      description: [
        'A team workspace with Projects, sessions, messages and memory, shared by people and AI agents.',
        'Every response except 204 and exports is JSON in the same envelope. Branch on `error.code`; `error.details.reason` says more.',
        'Operations marked `x-extension` are additions to the core.',
      ].join('\n\n'),
      auth: ['user', 'person', 'browser'],
      server: '/api',
      security: {
        name: 'apiKey',
        description:
          'A v2 key: `Authorization: Bearer atr_…`. It belongs to one person in one organisation.',
      },
      tags: [
        {
          name: 'Projects',
          description:
            'Containers for sessions and memory. In the paths of sessions and messages they are called spaces.',
        },
        {
          name: 'Sessions',
          description: 'Conversations in a Project, with read marks and unread counts.',
        },
        {
          name: 'Messages',
          description: 'Messages from people and agents, with threads and reactions.',
        },
        {
          name: 'Memory',
          description: 'Notes that can be searched by meaning. Each has its own visibility.',
        },
        {
          name: 'Documents',
          description:
            'Texts of files, page by page, and searches of them by meaning and by words.',
        },
        { name: 'Models', description: 'Models that answer when they are mentioned.' },
        {
          name: 'Agents',
          description: 'Agents that a team defines, with instructions, a model and tools.',
        },
        {
          name: 'Notifications',
          description: 'What you were told: mentions, replies in threads, answers of agents.',
        },
        {
          name: 'Reminders',
          description:
            'What you want to be told again later: a message, a task, or your own words.',
        },
        {
          name: 'Tasks',
          description: 'Work in a Project that people and agents share: a board, and its history.',
        },
        {
          name: 'Channels',
          description: 'Channels of Slack and Mattermost that are also sessions of a Project.',
        },
        {
          name: 'Files',
          description: 'What people upload into a Project, and what can be read of it.',
        },
        { name: 'Org', description: 'Members, invitations and the audit log.' },
        {
          name: 'Keys',
          description: 'API keys: your own (v2), and the organisation keys for the v1 Memory API.',
        },
        { name: 'Billing', description: 'Plans, credits and usage.' },
        {
          name: 'MCP',
          description: 'MCP servers whose tools a session can use when they are mentioned.',
        },
        { name: 'Identity', description: 'The current user, key and rights.' },
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
        'The memory of an organisation, for programs: notes that can be searched by meaning.',
        "Keys for this API start with `sk_live_` and belong to the organisation. They can read and write ORG and PROJECT memories, but never anyone's PRIVATE ones.",
        'Envelope, errors, limits and idempotency are the same as in the v2 API.',
      ].join('\n\n'),
      auth: ['org-key'],
      server: '/api/v1',
      security: {
        name: 'orgKey',
        description:
          'A v1 key: `Authorization: Bearer sk_live_…`. An OWNER or ADMIN creates it with `POST /org/{orgId}/api-keys`.',
      },
      tags: [{ name: 'Memory', description: 'The memory of the organisation.' }],
    },
    ROUTES,
  );
}
