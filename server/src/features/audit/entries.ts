import type { EventContext } from '../../core/context.ts';
import { newId } from '../../core/ids.ts';
import type { AppEvent, EventOf, EventType, SavedMemory, SavedTask } from '../../events/list.ts';
import { insertAtCommit } from './store.ts';

/** What an entry says: which record, and `details` without a secret or content. */
type Entry = [resourceId: string, details?: Record<string, unknown>];

/** The events that the audit log keeps, which are its actions. Undefined: not this time. */
const ENTRIES: { [T in EventType]?: (event: EventOf<T>, ctx: EventContext) => Entry | undefined } =
  {
    'org.created': (_, { orgId }) => [orgId],
    'org.updated': ({ fields }, { orgId }) => [orgId, { fields }],
    'org.exported': (_, { orgId }) => [orgId],
    'billing.checkout_opened': ({ checkoutId, plan, credits }) => [checkoutId, { plan, credits }],
    'member.joined': ({ userId, role }) => [userId, { role }],
    'member.role_changed': ({ userId, from, to }) => [userId, { from, to }],
    // Without the handles: they may be names, and the log outlives an account.
    'member.handle_changed': ({ userId }) => [userId],
    // Others know them by these. A status is about where someone is, and not kept.
    'member.profile_changed': ({ userId, fields }) => {
      const kept = fields.filter((field) => field === 'title' || field === 'photo');
      return kept.length > 0 ? [userId, { fields: kept }] : undefined;
    },
    'member.removed': ({ userId, role }) => [userId, { role }],
    'member.exported': ({ userId }) => [userId],
    'invitation.created': ({ invitationId, role }) => [invitationId, { role }],
    'invitation.resent': ({ invitationId }) => [invitationId],
    'invitation.revoked': ({ invitationId }) => [invitationId],
    'invitation.accepted': ({ invitationId }) => [invitationId],
    'key.created': ({ keyId, scopes }) => [keyId, { scopes }],
    'key.revoked': ({ keyId, reason }) => [keyId, reason === undefined ? {} : { reason }],
    'key.rotated': ({ keyId, replacedBy }) => [keyId, { replacedBy }],
    'org_key.created': ({ keyId, scopes }) => [keyId, { scopes }],
    'org_key.revoked': ({ keyId, reason }) => [keyId, reason === undefined ? {} : { reason }],
    'org_key.rotated': ({ keyId, replacedBy }) => [keyId, { replacedBy }],
    'project.created': ({ projectId }) => [projectId],
    'project.updated': ({ projectId, fields }) => [projectId, { fields }],
    'project.archived': ({ projectId }) => [projectId],
    'project.restored': ({ projectId }) => [projectId],
    'project.member_added': ({ projectId, userId }) => [projectId, { userId }],
    'project.member_removed': ({ projectId, userId }) => [projectId, { userId }],
    // Who talks to whom is not for the log.
    'session.created': ({ sessionId, isDirect }) => (isDirect ? undefined : [sessionId]),
    'session.updated': ({ sessionId }) => [sessionId],
    'session.archived': ({ sessionId }) => [sessionId],
    'session.restored': ({ sessionId }) => [sessionId],
    'message.edited': ({ messageId }) => [messageId],
    'message.deleted': ({ messageId }) => [messageId],
    'task.created': entryOfTask,
    'task.updated': entryOfTask,
    'task.archived': ({ taskId }) => [taskId],
    'task.restored': ({ taskId }) => [taskId],
    // People's own additions are not kept. An agent adds one at a time.
    'memory.created': ({ memories: [memory], by }) => memory && by && [memory.memoryId, { ...by }],
    'memory.updated': ({ before, fields, ...memory }) =>
      isShared(before) || isShared(memory) ? [memory.memoryId, { fields }] : undefined,
    'memory.deleted': (memory) => (isShared(memory) ? [memory.memoryId] : undefined),
    'file.created': ({ fileId }) => [fileId],
    'file.updated': ({ fileId, fields }) => [fileId, { fields }],
    'file.deleted': ({ fileId }) => [fileId],
    'agent.created': ({ agentId, slug }) => [agentId, { slug }],
    'agent.updated': ({ agentId, slug, fields }) => [agentId, { slug, fields }],
    'agent.archived': ({ agentId, slug }) => [agentId, { slug }],
    'agent.restored': ({ agentId, slug }) => [agentId, { slug }],
    'mcp_server.created': ({ serverId, mentionSlug }) => [serverId, { mentionSlug }],
    'mcp_server.deleted': ({ serverId }) => [serverId],
    'mcp_server.bound': ({ serverId, projects }) => [serverId, { projects }],
    'model_provider.created': ({ providerId, kind }) => [providerId, { kind }],
    'model_provider.updated': ({ providerId, fields }) => [providerId, { fields }],
    'model_provider.deleted': ({ providerId }) => [providerId],
    'channel_connection.created': ({ connectionId, provider }) => [connectionId, { provider }],
    'channel_connection.updated': ({ connectionId, fields }) => [connectionId, { fields }],
    'channel_connection.deleted': ({ connectionId }) => [connectionId],
    'channel.mapped': ({ mappingId, projectId, sessionId }) => [
      mappingId,
      { projectId, sessionId },
    ],
    'channel.updated': ({ mappingId, fields }) => [mappingId, { fields }],
    'channel.unmapped': ({ mappingId, projectId, sessionId }) => [
      mappingId,
      { projectId, sessionId },
    ],
  };

/** What people change is in the task's activity; agents' changes are here too. */
function entryOfTask({ taskId, byAgent, byUserId }: SavedTask): Entry | undefined {
  return byAgent === null ? undefined : [taskId, { agent: byAgent, askedBy: byUserId }];
}

function isShared({ visibility }: SavedMemory): boolean {
  return visibility !== 'PRIVATE';
}

/** In the commit: a change and its entry are stored together or not at all. */
export function recordAudit(ctx: EventContext, event: AppEvent): void {
  const entryOf = ENTRIES[event.type] as
    | ((event: AppEvent, ctx: EventContext) => Entry | undefined)
    | undefined;
  const entry = entryOf?.(event, ctx);
  if (!entry) return;
  const { actor } = ctx;
  const [resourceId, details = {}] = entry;
  insertAtCommit(ctx.db, ctx.orgId, {
    id: newId(),
    action: event.type,
    resourceType: event.type.slice(0, event.type.indexOf('.')),
    resourceId,
    actorKind: actor.kind,
    actorUserId: actor.kind === 'user' ? actor.userId : null,
    keyId: actor.kind === 'system' ? null : actor.keyId,
    requestId: ctx.requestId,
    details,
  });
}
