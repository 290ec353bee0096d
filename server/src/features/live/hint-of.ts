import type { Hint } from '../../bus/hints.ts';
import type { EventContext } from '../../core/context.ts';
import {
  valueOf,
  type AppEvent,
  type EventOf,
  type EventType,
  type InFile,
  type InSession,
  type InTask,
  type Message,
  type SavedMemory,
} from '../../events/list.ts';

const ORG: Hint = { type: 'org.updated' };
const AGENTS: Hint = { type: 'agent.updated' };

const ofProject = ({ projectId }: { projectId: string }): Hint => ({
  type: 'project.updated',
  projectId,
});

const inSession =
  (type: 'session.created' | 'session.updated') =>
  ({ projectId, sessionId }: InSession): Hint => ({ type, projectId, sessionId });

const ofSession = inSession('session.updated');

const ofMessage = ({
  projectId,
  sessionId,
  messageId,
}: Message): Extract<Hint, { type: 'message.updated' }> => ({
  type: 'message.updated',
  projectId,
  sessionId,
  messageId,
});

/** What pages load again after each event. Those that are missing change nothing that a page shows. */
const HINTS: { [T in EventType]?: (event: EventOf<T>) => Hint | readonly Hint[] } = {
  'org.updated': () => ORG,
  'credits.changed': () => ORG,
  'member.joined': () => ORG,
  // The new role may give or take away access to Projects.
  'member.role_changed': ({ userId }) => [ORG, { type: 'resync', to: userId }],
  'member.handle_changed': () => ORG,
  'member.renamed': () => ORG,
  'member.profile_changed': ({ userId }) => ({ type: 'member.updated', userId }),
  'member.removed': () => ORG,
  'invitation.created': () => ORG,
  'invitation.resent': () => ORG,
  'invitation.revoked': () => ORG,
  'project.created': ({ projectId }) => ({ type: 'project.created', projectId }),
  'project.updated': (event) =>
    // People who lost access need a hint too, but one that does not name the Project.
    event.changesAccess ? [ofProject(event), { type: 'resync' }] : ofProject(event),
  'project.archived': ofProject,
  'project.restored': ofProject,
  // The person added or removed must reload everything.
  'project.member_added': (event) => [ofProject(event), { type: 'resync', to: event.userId }],
  'project.member_removed': (event) => [ofProject(event), { type: 'resync', to: event.userId }],
  'session.created': inSession('session.created'),
  'session.updated': ({ readers, ...event }) => [
    ofSession(event),
    ...readers.map((to) => ({ type: 'resync', to }) as const),
  ],
  'session.archived': ofSession,
  'session.restored': ofSession,
  'session.summarised': ofSession,
  'session.named': ({ projectId, sessionId }) =>
    ofSession({ projectId: valueOf(projectId), sessionId }),
  'session.read': (event) => ({ ...ofReader(event), unreadCount: event.unreadCount }),
  'session.followed': ofReader,
  'session.typing': ({ projectId, sessionId, userId }) => ({
    type: 'session.typing',
    projectId,
    sessionId,
    userId,
  }),
  'sessions.read': ({ userId: to }) => ({ type: 'resync', to }),
  'message.created': (event) => ({
    type: 'message.created',
    projectId: valueOf(event.projectId),
    sessionId: event.sessionId,
    messageId: event.messageId,
    parentMessageId: event.parentMessageId,
    authorUserId: event.authorUserId,
    mentionedUserIds: event.mentionedUserIds,
    createdAt: event.createdAt,
  }),
  'message.edited': (event) => ({ ...ofMessage(event), change: 'EDITED' }),
  'message.deleted': (event) => ({ ...ofMessage(event), change: 'DELETED' }),
  'message.reacted': ofMessage,
  'message.updated': ofMessage,
  'message.branched': (event) => ({ ...ofMessage(event), change: 'BRANCHED' }),
  'reply.replaced': (event) => ({ ...ofMessage(event), change: 'EDITED' }),
  'task.created': (event) => ofTask(event, 'task.created'),
  'task.updated': (event) => ofTask(event, 'task.updated'),
  'task.archived': (event) => ofTask(event, 'task.updated'),
  'task.restored': (event) => ofTask(event, 'task.updated'),
  'task.discussed': (event) => ofTask(event, 'task.updated'),
  'file.checked': ofFile,
  'file.updated': ofFile,
  'file.deleted': ofFile,
  'file.used': ({ fileIds, ...event }) => fileIds.flatMap((fileId) => ofFile({ ...event, fileId })),
  'memory.created': ({ memories }) => ofMemories(memories),
  // People who saw it before only learn that it has changed.
  'memory.updated': ({ before, ...after }) => ofMemories([before, after]),
  'memory.deleted': (memory) => ofMemories([memory]),
  'agent.created': () => AGENTS,
  'agent.updated': () => AGENTS,
  'agent.archived': () => AGENTS,
  'agent.restored': () => AGENTS,
  'mcp_server.created': () => ORG,
  'mcp_server.deleted': () => ORG,
  'mcp_server.bound': () => ORG,
  'mcp_server.tested': () => ORG,
  'model_provider.created': () => ORG,
  'model_provider.updated': () => ORG,
  'model_provider.deleted': () => ORG,
  'model_provider.tested': () => ORG,
  'channel_connection.created': () => ORG,
  'channel_connection.updated': () => ORG,
  'channel_connection.deleted': () => [ORG, { type: 'resync' }],
  'channel_connection.tested': () => ORG,
  'channel_connection.connected': () => ORG,
  'channel_connection.broken': () => ORG,
  'channel.mapped': ofProject,
  'channel.updated': ofProject,
  'channel.unmapped': ofProject,
  'channel.broken': ofProject,
  'kept.changed': ({ userId: to }) => ({ type: 'kept.changed', to }),
  'notification.created': ({ to }) => ({ type: 'notification.created', to }),
  'notification.read': ({ userId: to }) => ({ type: 'notification.read', to }),
};

function ofReader(event: InSession & { userId: string }): Extract<Hint, { type: 'session.read' }> {
  const { projectId, sessionId, userId: to } = event;
  return { type: 'session.read', projectId, sessionId, to };
}

/** A parent shows how many of its subtasks are done. */
function ofTask(
  { projectId, taskId, parentTaskIds }: InTask,
  type: 'task.created' | 'task.updated',
): Hint[] {
  const parents = parentTaskIds.map(
    (id) => ({ type: 'task.updated', projectId, taskId: id }) as const,
  );
  return [{ type, projectId, taskId }, ...parents];
}

/** Only those who may read it learn that it exists. */
function ofFile({ projectId, fileId, to }: InFile): Hint[] {
  if (to === undefined || to?.length === 0) return [];
  return [{ type: 'file.updated', projectId, fileId, ...(to && { to }) }];
}

/** Pages load their list again, so one hint for each audience is enough. */
function ofMemories(memories: readonly SavedMemory[]): Hint[] {
  const hints = memories.map((memory) => {
    const audience = audienceOf(memory);
    const hint = { type: 'memory.changed', memoryId: memory.memoryId, ...audience } as const;
    return [JSON.stringify(audience), hint] as const;
  });
  return [...new Map(hints).values()];
}

function audienceOf({ visibility, projectId, ownerUserId }: SavedMemory): {
  projectId?: string;
  to?: string;
} {
  if (visibility === 'ORG') return {};
  return visibility === 'PROJECT' ? { projectId: projectId ?? '' } : { to: ownerUserId ?? '' };
}

/** After the commit: open pages load what has changed. */
export function hintPages(ctx: EventContext, event: AppEvent): void {
  const hintOf = HINTS[event.type] as ((event: AppEvent) => Hint | readonly Hint[]) | undefined;
  for (const hint of [hintOf?.(event) ?? []].flat()) ctx.hints.send(ctx.orgId, hint);
}
