import type { Exports } from '../core/context.ts';
import { agents } from '../features/agents/export.ts';
import { ledger } from '../features/billing/export.ts';
import { channelConnections, channels } from '../features/channels/export.ts';
import { files } from '../features/files/export.ts';
import { exportOrg, exportOwn } from '../features/exports/service.ts';
import { account, photos } from '../features/identity/export.ts';
import { keysOfCaller, keysOfOrg } from '../features/keys/export.ts';
import { mcpServers } from '../features/mcp/export.ts';
import { memories } from '../features/memory/export.ts';
import { modelProviders } from '../features/models/export.ts';
import { saved } from '../features/messages/keeping/export.ts';
import { scheduledMessages } from '../features/messages/scheduled/export.ts';
import { messages } from '../features/messages/export.ts';
import { audit, invitations, members, org } from '../features/org/export.ts';
import { projectMembers, projects } from '../features/projects/export.ts';
import { reminders } from '../features/reminders/export.ts';
import { sessions } from '../features/sessions/export.ts';
import { taskActivity, tasks, taskViews } from '../features/tasks/export.ts';
import type { RecordKind } from '../lists/record-kind.ts';

// What is written while an export runs may be missing from it. A record is read before those it refers
// to, so that the session of a message, for example, is always there.

const OF_ORG: readonly RecordKind[] = [
  audit,
  ledger,
  taskActivity,
  tasks,
  messages,
  sessions,
  files,
  memories,
  projectMembers,
  channels,
  channelConnections,
  agents,
  modelProviders,
  mcpServers,
  projects,
  keysOfOrg,
  invitations,
  photos,
  members,
  org,
];

/** What the caller wrote or owns, and may read. */
const OF_CALLER: readonly RecordKind[] = [
  taskViews,
  scheduledMessages,
  saved,
  tasks,
  messages,
  sessions,
  files,
  memories,
  agents,
  projects,
  keysOfCaller,
  account,
];

/** The scopes that a key needs to read those kinds one by one. */
const CALLER_SCOPES = [
  'messages:read',
  'sessions:read',
  'memory:read',
  'agents:read',
  'tasks:read',
  'projects:read',
  'keys:read',
];

/** The routes of an export are in `org` and `identity`, which need not know what it contains. */
export const EXPORTS: Exports = {
  ofOrg: (ctx) => exportOrg(ctx, OF_ORG),
  ofCaller(ctx) {
    // Keys for exports are older than reminders and files: one without their scopes gets everything else.
    const { scopes } = ctx.actor;
    const mayReadFiles = scopes.has('files:read');
    const own = mayReadFiles ? OF_CALLER : OF_CALLER.filter((kind) => kind !== files);
    const kinds = scopes.has('notifications:read') ? [reminders, ...own] : own;
    return exportOwn(ctx, kinds, CALLER_SCOPES);
  },
};
