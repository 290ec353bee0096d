import type { UserContext } from '../../core/context.ts';
import type { RecordPage, RecordQuery } from '../../lists/record-page.ts';
import { presentAgent } from '../agents/present.ts';
import { readAgents } from '../agents/service.ts';
import { readAudit } from '../audit/service.ts';
import { readConnections } from '../channels/connections/service.ts';
import { readMappings } from '../channels/mappings/service.ts';
import { presentConnection, presentMapping } from '../channels/present.ts';
import { presentLedgerEntry } from '../billing/present.ts';
import { readLedger } from '../billing/service.ts';
import { describePerson } from '../identity/service.ts';
import { presentKey } from '../keys/present.ts';
import { listOwnedKeys, myKeys, orgKeys } from '../keys/service.ts';
import { presentServer } from '../mcp/present.ts';
import { listMcpServers } from '../mcp/service.ts';
import { presentMemory } from '../memory/present.ts';
import { readMemories } from '../memory/service.ts';
import { presentMessage } from '../messages/present.ts';
import { readMessages } from '../messages/service.ts';
import { listInvitations } from '../org/invitations/service.ts';
import { presentAuditEntry, presentInvitation, presentMember, presentOrg } from '../org/present.ts';
import { getOrg, listMembers } from '../org/service.ts';
import { presentProject, presentProjectMember } from '../projects/present.ts';
import { readAddedMembers, readProjects } from '../projects/service.ts';
import { presentSession } from '../sessions/present.ts';
import { readSessions } from '../sessions/service.ts';
import { presentActivity, presentTask } from '../tasks/present.ts';
import { readActivity, readTasks } from '../tasks/service.ts';

/** Records of one kind, in the format of the API. An export has one file for each kind. */
export interface RecordKind {
  name: string;
  read(ctx: UserContext, query: RecordQuery): Promise<RecordPage<object>>;
}

// What is written while an export runs may be missing from it. A record is read before those it refers
// to, so that the session of a message, for example, is always there.

export const ORG_KINDS: readonly RecordKind[] = [
  kind('audit', readAudit, presentAuditEntry),
  kind('ledger', readLedger, presentLedgerEntry),
  kind('task-activity', readActivity, presentActivity),
  kind('tasks', readTasks, presentTask),
  kind('messages', readMessages, presentMessage),
  kind('sessions', readSessions, presentSession),
  kind('memories', readMemories, presentMemory),
  kind('project-members', readAddedMembers, ({ projectId, ...member }) => ({
    projectId,
    ...presentProjectMember(member),
  })),
  short('channels', readMappings, presentMapping),
  short('channel-connections', readConnections, presentConnection),
  kind('agents', readAgents, presentAgent),
  short('mcp-servers', listMcpServers, presentServer),
  kind('projects', readProjects, presentProject),
  short('org-keys', (ctx) => listOwnedKeys(ctx, orgKeys(ctx)), presentKey),
  short('invitations', listInvitations, presentInvitation),
  short('members', listMembers, presentMember),
  short('org', async (ctx) => [await getOrg(ctx)], presentOrg),
];

/** What the caller wrote or owns, and may read. */
export const OWN_KINDS: readonly RecordKind[] = [
  kind('tasks', readTasks, presentTask),
  kind('messages', readMessages, presentMessage),
  kind('sessions', readSessions, presentSession),
  kind('memories', readMemories, presentMemory),
  kind('agents', readAgents, presentAgent),
  kind('projects', readProjects, presentProject),
  short('keys', (ctx) => listOwnedKeys(ctx, myKeys(ctx)), presentKey),
  short(
    'account',
    async (ctx) => [await describePerson(ctx)],
    (person) => person,
  ),
];

/** The scopes that a key needs to read those kinds one by one. */
export const OWN_SCOPES = [
  'messages:read',
  'sessions:read',
  'memory:read',
  'agents:read',
  'tasks:read',
  'projects:read',
  'keys:read',
] as const;

function kind<Row>(
  name: string,
  read: (ctx: UserContext, query: RecordQuery) => Promise<RecordPage<Row>>,
  present: (row: Row) => object,
): RecordKind {
  return {
    name,
    async read(ctx, query) {
      const { rows, next } = await read(ctx, query);
      return { rows: rows.map(present), next };
    },
  };
}

/** Of these, the API lists all at once too. */
function short<Row>(
  name: string,
  list: (ctx: UserContext) => Promise<Row[]>,
  present: (row: Row) => object,
): RecordKind {
  return kind(name, async (ctx) => ({ rows: await list(ctx), next: null }), present);
}
