import type { Hint } from '../../bus/hints.ts';
import type { PageState, Presence } from '../../core/presence.ts';
import { keyOf } from '../../bus/reply-lines.ts';
import type { ReplyBoard, ReplyEvent, ShownReply } from '../../bus/reply-board.ts';

/** One open stream of a person, in one org. */
export interface EventStream {
  readonly orgId: string;
  readonly userId: string;
  /** The web session or the key that opened it. The stream ends with it. */
  readonly credentialId: string;
  /** Set if the stream is about one session only, and ends with the right to read it. */
  readonly room?: { projectId: string; sessionId: string };
  /** Of a page of a person in the browser, whom others see while it is open. */
  readonly state?: PageState;
  /** Text in the format of server-sent events. */
  write(text: string): void;
  end(): void;
}

/** Something that streams are told. */
export type Notice = Hint | ReplyEvent;

/** What a stream's person may read, of what notices are about. */
export interface StreamAccess {
  projectIds: readonly string[];
  mayRead(sessionId: string): boolean;
}

export function mayHear(notice: Notice, stream: EventStream, access: StreamAccess): boolean {
  if ('to' in notice && !isTo(notice.to, stream.userId)) return false;
  if (notice.type === 'session.typing' && (stream.room || notice.userId === stream.userId))
    return false;
  const sessionId = sessionOf(notice);
  if (stream.room && notice.type !== 'resync' && sessionId !== stream.room.sessionId) return false;
  if (sessionId !== undefined && !access.mayRead(sessionId)) return false;
  const projectId = projectOf(notice);
  return projectId === undefined || access.projectIds.includes(projectId);
}

function isTo(to: string | readonly string[] | undefined, userId: string): boolean {
  return typeof to === 'string' ? to === userId : to?.includes(userId) === true;
}

export function projectOf(notice: Notice): string | undefined {
  if ('place' in notice) return notice.place.projectId;
  return 'projectId' in notice ? notice.projectId : undefined;
}

export function sessionOf(notice: Notice): string | undefined {
  if ('place' in notice) return notice.place.sessionId;
  return 'sessionId' in notice ? notice.sessionId : undefined;
}

/** How far a stream has been told what each reply says. */
export type Cursors = Map<string, { run: string; seq: number; toolChanges: number }>;

/** What to write for a reply's event, so that each stream sees every reply without gaps and repetitions. */
export function replyEventFor(event: ReplyEvent, cursors: Cursors, board: ReplyBoard): string {
  const key = keyOf(event.place);
  const cursor = cursors.get(key);
  if (event.type === 'reply.ended') {
    cursors.delete(key);
    return replyEvent(event);
  }
  if (event.type === 'reply.started' || event.type === 'reply.restarted') {
    const isKnown = cursor?.run === event.run && cursor.seq >= event.seq;
    if (event.type === 'reply.started' && isKnown) return '';
    return replyEventWithCalls(event, cursors);
  }
  if (cursor?.run === event.run && event.type === 'reply.tools') {
    if (event.toolChanges <= cursor.toolChanges) return '';
    cursor.toolChanges = event.toolChanges;
    return replyEvent(event);
  }
  if (cursor?.run === event.run && event.seq <= cursor.seq) {
    if (event.seq < cursor.seq) return '';
    cursor.seq++;
    return replyEvent(event);
  }
  const current = board.find(event.place);
  return current ? startedEvent(current, cursors) : '';
}

/** Everything that was written of a reply until now. */
export function startedEvent(reply: ShownReply, cursors: Cursors): string {
  return replyEventWithCalls({ ...reply, type: 'reply.started' }, cursors);
}

/** Viewers drop the calls they know when a reply starts, so these follow. */
function replyEventWithCalls(event: ReplyEvent, cursors: Cursors): string {
  const { place, run, seq, toolCalls, toolChanges } = event;
  cursors.set(keyOf(place), { run, seq, toolChanges });
  const calls = toolCalls.length > 0 ? replyEvent({ ...event, type: 'reply.tools' }) : '';
  return replyEvent(event) + calls;
}

function replyEvent({ type, place, seq, text, toolCalls }: ReplyEvent): string {
  const { projectId, sessionId, questionId, mention } = place;
  const about = { projectId, sessionId, questionId, mention };
  if (type === 'reply.ended') return written(type, about);
  return written(type, { ...about, ...(type === 'reply.tools' ? { toolCalls } : { seq, text }) });
}

const OF_MESSAGE = ['projectId', 'sessionId', 'messageId'];

/** The fields of each hint that are sent. The recipient and a memory's scope are not. */
const SENT: { readonly [T in Hint['type']]?: string[] } = {
  'message.created': [
    ...OF_MESSAGE,
    'parentMessageId',
    'authorUserId',
    'mentionedUserIds',
    'createdAt',
  ],
  'message.updated': [...OF_MESSAGE, 'change'],
  'session.created': ['projectId', 'sessionId'],
  'session.updated': ['projectId', 'sessionId'],
  'session.read': ['projectId', 'sessionId', 'unreadCount'],
  'session.typing': ['projectId', 'sessionId', 'userId'],
  'project.created': ['projectId'],
  'project.updated': ['projectId'],
  'task.created': ['projectId', 'taskId'],
  'task.updated': ['projectId', 'taskId'],
  'file.updated': ['projectId', 'fileId'],
  'memory.changed': ['memoryId'],
  'member.updated': ['userId'],
};

export function eventOf(hint: Hint): string {
  return written(hint.type, hint, SENT[hint.type] ?? []);
}

/** Of many people at once: after a restart they all come back together. */
export function presenceEvent(people: readonly (readonly [string, Presence])[]): string {
  return written('people.presence', { people: Object.fromEntries(people) });
}

/** With only these fields, if they are named. */
function written(type: string, data: object, fields?: string[]): string {
  return `event: ${type}\ndata: ${JSON.stringify(data, fields)}\n\n`;
}
