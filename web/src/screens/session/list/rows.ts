import type { ChannelMapping, Message } from '@atrium/sdk';
import type { ReactNode } from 'react';
import type { OutboxItem } from '../composer/outbox.ts';

/** One row of the list. A divider belongs to the message below it, so that they move together. */
export interface MessageRowData {
  kind: 'message';
  key: string;
  /** Where it is in the list. A reply has the place that it was written in. */
  place: string;
  message: Message;
  /** What a reply answers to, and who asked, if its question is loaded. */
  mention: string | null;
  askerId: string | null;
  /** The day that begins here. */
  day: string | null;
  isUnreadStart: boolean;
  /** When the mapped channel was paused and resumed since the message before. */
  pauses: readonly PauseEdge[];
  /** Shortly after another by the same author, so shown without name and avatar. */
  isCompact: boolean;
  isThreadRoot: boolean;
}

/** A moment at which a mapped channel was paused or resumed. */
export interface PauseEdge {
  at: string;
  isPause: boolean;
}

/** Something that happened besides the messages, such as a change of the task that they are about. */
export interface Note {
  id: string;
  at: string;
  show: ReactNode;
  /** This note and the next one as one, if no message is between them. Undefined if they stay apart. */
  join?: ((next: Note) => Note | undefined) | undefined;
}

/** Notes that follow each other. Those that belong together are one. */
export function joinNotes(notes: readonly Note[]): Note[] {
  const joined: Note[] = [];
  for (const note of notes) {
    const both = joined.at(-1)?.join?.(note);
    if (both) joined[joined.length - 1] = both;
    else joined.push(note);
  }
  return joined;
}

/** A reply that isn't finished. */
export interface Answering {
  key: string;
  questionId: string;
  mention: string;
  /** Who asked. */
  askerId: string | null;
}

export type Row =
  | MessageRowData
  | ({ kind: 'answering'; place: string } & Answering)
  | { kind: 'outgoing'; key: string; place: string; item: OutboxItem }
  | { kind: 'note'; key: string; place: string; note: Note };

export interface RowParts {
  /** The message whose replies these are. */
  root?: Message | undefined;
  messages: readonly Message[];
  /** More are loading above. The first isn't shown yet, because the one before it affects its height. */
  hasOlder: boolean;
  /** The first message that was unread when the session was opened. */
  unreadFrom: string | null;
  answering: readonly Answering[];
  outgoing: readonly OutboxItem[];
  /** When the mapped channel was paused. */
  gaps?: ChannelMapping['gaps'] | undefined;
  /** Oldest first. */
  notes?: readonly Note[] | undefined;
}

const GROUP_MS = 5 * 60_000;

export function buildRows(parts: RowParts): Row[] {
  const {
    root,
    messages,
    hasOlder,
    unreadFrom,
    answering,
    outgoing,
    gaps = [],
    notes = [],
  } = parts;
  const rows: Row[] = [];
  const placeOf = createPlaces(root ? [root, ...messages] : messages, answering);
  const edges = gaps.flatMap(edgesOf);
  let previous: Message | undefined;
  let shownNotes = 0;
  function addNotes(until?: string) {
    const end = until ? notes.findIndex(({ at }, nth) => nth >= shownNotes && at > until) : -1;
    const next = notes.slice(shownNotes, end === -1 ? undefined : end);
    for (const note of joinNotes(next)) {
      rows.push({ kind: 'note', key: note.id, place: note.id, note });
    }
    shownNotes += next.length;
    return next.length > 0;
  }
  function add(message: Message) {
    const isAfterNote = addNotes(message.createdAt);
    const day = dayOf(message);
    const isNewDay = previous === undefined || dayOf(previous) !== day;
    const isUnreadStart = message.id === unreadFrom;
    const since = previous?.createdAt ?? '';
    const pauses = edges.filter(({ at }) => since < at && at <= message.createdAt);
    const isFirst =
      isNewDay || isUnreadStart || isAfterNote || pauses.length > 0 || previous === root;
    rows.push({
      kind: 'message',
      key: message.id,
      ...placeOf(message),
      message,
      day: isNewDay ? day : null,
      isUnreadStart,
      pauses,
      isCompact: !isFirst && isSameBreath(previous, message),
      isThreadRoot: message === root,
    });
    previous = message;
  }
  if (root) add(root);
  if (hasOlder) previous = messages[0];
  for (const message of hasOlder ? messages.slice(1) : messages) add(message);
  addNotes();
  for (const reply of answering) rows.push({ kind: 'answering', place: reply.key, ...reply });
  for (const item of outgoing) {
    rows.push({ kind: 'outgoing', key: item.id, place: item.id, item });
  }
  return rows;
}

function edgesOf({ from, to }: ChannelMapping['gaps'][number]): PauseEdge[] {
  const pause = { at: from, isPause: true };
  return to === null ? [pause] : [pause, { at: to, isPause: false }];
}

/** Finds what each reply answers to, and gives it the place of its answering row, each place once. */
function createPlaces(messages: readonly Message[], answering: readonly Answering[]) {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const taken = new Set(answering.map(({ key }) => key));
  return (message: Message) => {
    const question = byId.get(message.inReplyToMessageId ?? '');
    const mention = question ? mentionOf(message, question) : null;
    const place = question && mention !== null ? placeKey(question.id, mention) : message.id;
    const about = { mention, askerId: question?.authorUserId ?? null };
    if (taken.has(place)) return { place: message.id, ...about };
    taken.add(place);
    return { place, ...about };
  };
}

function placeKey(questionId: string, mention: string): string {
  return `${questionId}:${mention}`;
}

/**
 * A reply names who wrote it. That is the mention, unless the session's model answered for it, or somebody was
 * asked whom the question doesn't mention.
 */
function mentionOf({ agentSlug }: Message, { mentions, pendingReplies }: Message): string | null {
  if (agentSlug !== null && mentions.includes(agentSlug)) return agentSlug;
  if (mentions.includes('model')) return 'model';
  if (pendingReplies.length === 1) return pendingReplies[0]?.mention ?? null;
  if (mentions.length === 1) return mentions[0] ?? null;
  return mentions.length === 0 ? 'model' : null;
}

/** Who is still answering. A retry that was started here is shown in the reply's own place instead. */
export function listAnswering(
  messages: readonly Message[],
  retrying: ReadonlySet<string>,
): Answering[] {
  const shownInPlace = new Set(
    messages.filter(({ id }) => retrying.has(id)).map((reply) => reply.inReplyToMessageId),
  );
  return messages
    .filter(({ id }) => !shownInPlace.has(id))
    .flatMap(({ id, pendingReplies, authorUserId }) =>
      pendingReplies.map(({ mention }) => ({
        key: placeKey(id, mention),
        questionId: id,
        mention,
        askerId: authorUserId,
      })),
    );
}

export type Stoppable = Pick<Answering, 'questionId' | 'mention'>;

interface Stopper {
  userId: string;
  canSteer: (askerId: string | null) => boolean;
}

/**
 * The unfinished replies that a person's Stop and Escape end, retries included: those to their own questions
 * or, if there are none, those of others that they may stop.
 */
export function findStoppable(
  rows: readonly Row[],
  retrying: ReadonlySet<string>,
  { userId, canSteer }: Stopper,
): Stoppable[] {
  const running = rows.flatMap((row) => {
    if (row.kind === 'outgoing' || row.kind === 'note' || !canSteer(row.askerId)) return [];
    const { askerId } = row;
    if (row.kind === 'answering') {
      return [{ questionId: row.questionId, mention: row.mention, askerId }];
    }
    const questionId = row.message.inReplyToMessageId;
    if (!retrying.has(row.key) || questionId === null || row.mention === null) return [];
    return [{ questionId, mention: row.mention, askerId }];
  });
  const own = running.filter(({ askerId }) => askerId === userId);
  return (own.length > 0 ? own : running).map(({ questionId, mention }) => ({
    questionId,
    mention,
  }));
}

/** The message that ↑ in an empty composer edits. */
export function findLastOwn(rows: readonly Row[], userId: string): string | null {
  const row = rows.findLast(
    (row) =>
      row.kind === 'message' && row.message.authorUserId === userId && !row.message.deletedAt,
  );
  return row?.key ?? null;
}

/** A message's approximate height, before it is measured. */
export function estimateHeight(row: Row): number {
  if (row.kind === 'answering') return 66;
  if (row.kind === 'note') return 28;
  const body = row.kind === 'message' ? row.message.body : row.item.body;
  let lines = 1;
  for (const line of body.slice(0, 4_000).split('\n')) lines += Math.floor(line.length / 90) + 1;
  const text = (lines - 1) * 23;
  if (row.kind === 'outgoing') return text + 56 + row.item.files * 52;
  const { message, isCompact, day, isUnreadStart, pauses } = row;
  const chips = message.reactions.length > 0 ? 34 : 0;
  const replies = message.replyCount > 0 ? 36 : 0;
  const previews = message.previews.length * 86;
  const files = heightOfFiles(message.attachments);
  const dividers = (day ? 40 : 0) + (isUnreadStart ? 28 : 0) + pauses.length * 28;
  return text + (isCompact ? 12 : 46) + chips + replies + previews + files + dividers;
}

export function heightOfFiles(files: Message['attachments']): number {
  const pictures = files.filter(({ image }) => image !== null);
  const first = pictures[0]?.image;
  const shown = pictures.length > 1 ? 168 : first ? Math.min(368, first.height + 8) : 0;
  return shown + (files.length - pictures.length) * 66;
}

function isSameBreath(previous: Message | undefined, message: Message): boolean {
  if (!previous || previous.deletedAt || message.deletedAt) return false;
  if (previous.authorKind !== message.authorKind) return false;
  if (previous.authorUserId !== message.authorUserId) return false;
  if (previous.agentSlug !== message.agentSlug) return false;
  if (previous.externalAuthor?.id !== message.externalAuthor?.id) return false;
  return Date.parse(message.createdAt) - Date.parse(previous.createdAt) < GROUP_MS;
}

const DAY = new Intl.DateTimeFormat('sv-SE');
const days = new WeakMap<Message, string>();

/** Its local day, such as `2027-03-09`. Cached, because rows are rebuilt for every new message. */
export function dayOf(message: Message): string {
  const day = days.get(message) ?? DAY.format(new Date(message.createdAt));
  days.set(message, day);
  return day;
}
