import type { Role } from '../core/role.ts';
import type { Broadcast } from '../text/group-words.ts';

/**
 * Everything that can happen in an organisation, with the ids that a listener needs. Who did it is in the
 * context that it is emitted with. It can be stored as JSON, and never contains a secret, nor what people wrote.
 */
interface Happenings {
  'org.created': object;
  'org.updated': { fields: readonly string[] };
  'org.exported': object;
  /** What the organisation has left, or pays for, has changed. */
  'credits.changed': object;
  'billing.checkout_opened': { checkoutId: string; plan: string | null; credits: number | null };

  'member.joined': { userId: string; role: Role };
  'member.role_changed': { userId: string; from: Role; to: Role };
  'member.handle_changed': { userId: string };
  /** Their name or address has changed, which each of their organisations shows. */
  'member.renamed': { userId: string };
  /** What they say about themselves in this organisation, or in every one of theirs. */
  'member.profile_changed': { userId: string; fields: readonly string[] };
  'member.removed': { userId: string; role: Role };
  'member.exported': { userId: string };
  'invitation.created': { invitationId: string; role: Role };
  'invitation.resent': { invitationId: string };
  'invitation.revoked': { invitationId: string };
  'invitation.accepted': { invitationId: string; invitedById: string; accepterId: string };

  'key.created': NewKey;
  'key.revoked': RevokedKey;
  'key.rotated': RotatedKey;
  'org_key.created': NewKey;
  'org_key.revoked': RevokedKey;
  'org_key.rotated': RotatedKey;

  'project.created': { projectId: string };
  /** If it `changesAccess`, people may see it who could not, or no longer. */
  'project.updated': { projectId: string; fields: readonly string[]; changesAccess: boolean };
  'project.archived': { projectId: string };
  'project.restored': { projectId: string };
  'project.member_added': { projectId: string; userId: string };
  'project.member_removed': { projectId: string; userId: string };

  'session.created': InSession & { isDirect?: boolean };
  /** `readers` are those who can read it from now on, or no longer. */
  'session.updated': InSession & { readers: readonly string[] };
  'session.archived': InSession;
  'session.restored': InSession;
  /** What was said earlier has been summarised for agents. */
  'session.summarised': InSession;
  /** Its first message has given it a name. */
  'session.named': { sessionId: string; projectId: Later<string> };
  /** Up to a message, or set back to one. */
  'session.read': InSession & { userId: string; unreadCount: number };
  /** Whether they follow it, or what they are told about, has changed. */
  'session.followed': InSession & { userId: string };
  'session.typing': InSession & { userId: string };
  'sessions.read': { userId: string };

  'message.created': NewMessage;
  'message.edited': ChangedMessage;
  'message.deleted': ChangedMessage;
  'message.reacted': ChangedMessage;
  /** What is shown with it has changed, such as the replies that it waits for. */
  'message.updated': Message;
  /** Another branch is shown from here on, which begins with this message. */
  'message.branched': Message;
  /** A reply that was retried has taken the place of the old one. */
  'reply.replaced': ChangedMessage;

  'task.created': SavedTask;
  'task.updated': SavedTask;
  'task.archived': InTask;
  'task.restored': InTask;
  /** It has a session now, where it is discussed. */
  'task.discussed': InTask;

  /** All that were added together. `by` is set if an agent has added one for the person who asked. */
  'memory.created': { memories: readonly SavedMemory[]; by?: AddedBy | undefined };
  'memory.updated': SavedMemory & { fields: readonly string[]; before: SavedMemory };
  'memory.deleted': SavedMemory;

  /** Its upload was opened. Nobody but the uploader sees it. */
  'file.created': Omit<InFile, 'to'>;
  /** Its bytes are there and were checked: it is READY, FAILED or REFUSED. */
  'file.checked': InFile & { status: 'READY' | 'FAILED' | 'REFUSED' };
  /** Its name, who may read it, or what is known of its text. */
  'file.updated': InFile & { fields: readonly string[] };
  /** Bytes, text and uses are gone. */
  'file.deleted': InFile;
  /** A message or task has it now, or no longer. */
  'file.used': Omit<InFile, 'fileId'> & { fileIds: readonly string[] };

  'agent.created': { agentId: string; slug: string };
  'agent.updated': { agentId: string; slug: string; fields: readonly string[]; from: string };
  'agent.archived': { agentId: string; slug: string };
  'agent.restored': { agentId: string; slug: string };
  'mcp_server.created': { serverId: string; mentionSlug: string };
  'mcp_server.deleted': { serverId: string };
  'mcp_server.bound': { serverId: string; projects: number };
  'mcp_server.tested': { serverId: string };
  'model_provider.created': { providerId: string; kind: string };
  'model_provider.updated': { providerId: string; fields: readonly string[] };
  'model_provider.deleted': { providerId: string };
  'model_provider.tested': { providerId: string };

  'channel_connection.created': { connectionId: string; provider: string };
  'channel_connection.updated': { connectionId: string; fields: readonly string[] };
  'channel_connection.deleted': { connectionId: string };
  'channel_connection.tested': { connectionId: string };
  'channel_connection.connected': { connectionId: string };
  'channel_connection.broken': { connectionId: string };
  'channel.mapped': Mapped;
  'channel.updated': { mappingId: string; projectId: string; fields: readonly string[] };
  'channel.unmapped': Mapped;
  'channel.broken': { mappingId: string; projectId: string };

  /** A person's own lists have changed: what they saved, their reminders, what they send later, or their views. */
  'kept.changed': { userId: string };
  /** It is time to remind somebody. Their reminder is deleted in the same commit. */
  'reminder.due': { reminderId: string; userId: string };
  'scheduled_message.failed': { scheduledId: string; userId: string };

  'notification.created': { to: string | readonly string[] };
  'notification.read': { userId: string };
}

/**
 * What is about to happen, for listeners that have to read or lock something first. The change follows in
 * the same transaction.
 */
interface Plans {
  /** An edit tells nobody, so people are told of the message as it was. */
  'message.editing': { messageId: string };
  'message.deleting': Message & { isAwaitingReplies: boolean; userId: string };
  /** Its uses are deleted with it. They are known until then. */
  'file.deleting': { fileId: string };
  'reply.retrying': InSession & { questionId: string; mention: string; userId: string };
  'reply.landing': {
    projectId: string;
    taskId: string | null;
    questionId: string;
    /** Null if somebody asked in a chat channel who is not a member. */
    askerUserId: string | null;
    mention: string;
    agentSlug: string;
    status: 'COMPLETED' | 'FAILED' | 'STOPPED';
  };
  /** What was written until now follows what the person had chosen until now. */
  'session.muting': { sessionId: string };
  /** Their read mark has moved. Pages get a hint when their notifications are marked too. */
  'session.reading': {
    userId: string;
    sessionId: string;
    messageId: string;
    /** The first message of the thread, if it is one. */
    parentMessageId?: string | undefined;
  };
  'sessions.reading': { userId: string };
  /** Its last member leaves, so nobody can enter it again. Whoever prepares for it may refuse. */
  'org.closing': { orgName: string };
}

/** Known now, or only after the commit: a post reads nothing before it writes. */
export type Later<T> = T | (() => T);

export function valueOf<T extends string>(later: Later<T>): T {
  return typeof later === 'function' ? later() : later;
}

/** An event as it is stored: without what is known only after the commit, which is read from the record. */
export type KnownAtCommit<E> = {
  [Field in keyof E as (() => string) extends E[Field] ? never : Field]: E[Field];
};

export interface InSession {
  projectId: string;
  sessionId: string;
}

export interface Message extends InSession {
  messageId: string;
}

export interface ChangedMessage extends Message {
  /** Whether a chat channel shows it too, and does not have the change yet. */
  isForChannel: boolean;
}

export interface NewMessage {
  messageId: string;
  sessionId: string;
  projectId: Later<string>;
  /** Null if an agent wrote it, or somebody in a chat channel who is not a member. */
  authorUserId: string | null;
  createdAt: string;
  parentMessageId: string | null;
  mentionedUserIds: readonly string[];
  /** Whether everybody who follows the session, or is there, has to be told. */
  broadcast?: Broadcast | null;
  /** Whether an agent answers somebody with it. */
  isAnswer: boolean;
  /** Whether a person wrote it in a direct conversation, whose people are all told. */
  isDirect?: boolean;
  /** True if nobody has to be told of it. */
  isQuiet?: boolean;
}

export interface InTask {
  projectId: string;
  taskId: string;
  parentTaskIds: readonly string[];
}

export interface InFile {
  projectId: string;
  fileId: string;
  /** Who alone may read it. Null: every member of the Project. Nobody is told if it is left out. */
  to?: readonly string[] | null;
}

export interface SavedTask extends InTask {
  /** Set if an agent did it, for the person who asked. */
  byAgent: string | null;
  byUserId: string;
  /** The one person who has to be told, and why. */
  news?: TaskNews | undefined;
}

export interface TaskNews {
  kind: 'TASK_ASSIGNED' | 'TASK_FINISHED';
  userId: string;
  /** Of the entry in the task's activity, so that there is one for each person and change. */
  id: string;
  at: string;
}

export interface SavedMemory {
  memoryId: string;
  visibility: string;
  projectId: string | null;
  ownerUserId: string | null;
}

export interface AddedBy {
  agent: string;
  agentId: string;
  messageId: string;
}

interface NewKey {
  keyId: string;
  scopes: readonly string[];
}

interface RevokedKey {
  keyId: string;
  reason?: string;
}

interface RotatedKey {
  keyId: string;
  replacedBy: string;
}

interface Mapped extends InSession {
  mappingId: string;
}

export type EventType = keyof Happenings;
export type EventOf<T extends EventType> = T extends EventType
  ? { type: T } & Happenings[T]
  : never;
export type AppEvent = EventOf<EventType>;

export type UpcomingType = keyof Plans;
export type UpcomingOf<T extends UpcomingType> = T extends UpcomingType
  ? { type: T } & Plans[T]
  : never;
export type UpcomingEvent = UpcomingOf<UpcomingType>;

/** Only pages listen to these, so they need no transaction. */
export type PageEvent = EventOf<
  | 'session.read'
  | 'session.followed'
  | 'session.typing'
  | 'session.summarised'
  | 'sessions.read'
  | 'kept.changed'
  | 'notification.created'
  | 'notification.read'
  | 'channel_connection.connected'
  | 'member.renamed'
  | 'mcp_server.tested'
>;

/** Those who prepare for these need no transaction. */
export type FreeUpcomingEvent = UpcomingOf<
  'session.muting' | 'session.reading' | 'sessions.reading'
>;
