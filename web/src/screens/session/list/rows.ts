import type { ChannelMapping, Message } from '@atrium/sdk';
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
  | { kind: 'outgoing'; key: string; place: string; item: OutboxItem };

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
}

const GROUP_MS = 5 * 60_000;

export function buildRows(parts: RowParts): Row[] {
  const { root, messages, hasOlder, unreadFrom, answering, outgoing, gaps = [] } = parts;
  const rows: Row[] = [];
  const placeOf = createPlaces(root ? [root, ...messages] : messages, answering);
  const edges = gaps.flatMap(edgesOf);
  let previous: Message | undefined;
  function add(message: Message) {
    const day = dayOf(message);
    const isNewDay = previous === undefined || dayOf(previous) !== day;
    const isUnreadStart = message.id === unreadFrom;
    const since = previous?.createdAt ?? '';
    const pauses = edges.filter(({ at }) => since < at && at <= message.createdAt);
    const isFirst = isNewDay || isUnreadStart || pauses.length > 0 || previous === root;
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

/** A reply names who wrote it. That is the mention, unless the session's model answered for it. */
function mentionOf({ agentSlug }: Message, { mentions }: Message): string | null {
  if (agentSlug !== null && mentions.includes(agentSlug)) return agentSlug;
  if (mentions.length === 1) return mentions[0] ?? null;
  return mentions.includes('model') ? 'model' : null;
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

/** The unfinished replies to this person's last question that has any, retries included. */
export function findOwnReplies(
  rows: readonly Row[],
  retrying: ReadonlySet<string>,
  userId: string,
): Pick<Answering, 'questionId' | 'mention'>[] {
  const own = rows.flatMap((row) => {
    if (row.kind === 'outgoing' || row.askerId !== userId) return [];
    if (row.kind === 'answering') return [row];
    const questionId = row.message.inReplyToMessageId;
    if (!retrying.has(row.key) || questionId === null || row.mention === null) return [];
    return [{ questionId, mention: row.mention }];
  });
  const last = own.at(-1);
  return own.filter(({ questionId }) => questionId === last?.questionId);
}

/** A message's approximate height, before it is measured. */
export function estimateHeight(row: Row): number {
  if (row.kind === 'answering') return 66;
  const body = row.kind === 'message' ? row.message.body : row.item.body;
  let lines = 1;
  for (const line of body.slice(0, 4_000).split('\n')) lines += Math.floor(line.length / 90) + 1;
  const text = (lines - 1) * 23;
  if (row.kind === 'outgoing') return text + 56;
  const { message, isCompact, day, isUnreadStart, pauses } = row;
  const chips = message.reactions.length > 0 ? 34 : 0;
  const replies = message.replyCount > 0 ? 36 : 0;
  const dividers = (day ? 40 : 0) + (isUnreadStart ? 28 : 0) + pauses.length * 28;
  return text + (isCompact ? 12 : 46) + chips + replies + dividers;
}

function isSameBreath(previous: Message | undefined, message: Message): boolean {
  if (!previous || previous.deletedAt || message.deletedAt) return false;
  if (previous.authorKind !== message.authorKind) return false;
  if (previous.authorUserId !== message.authorUserId) return false;
  if (previous.agentSlug !== message.agentSlug) return false;
  if (previous.externalAuthor?.id !== message.externalAuthor?.id) return false;
  return Date.parse(message.createdAt) - Date.parse(previous.createdAt) < GROUP_MS;
}

const days = new WeakMap<Message, string>();

/** Its local day, such as `2027-03-09`. Cached, because rows are rebuilt for every new message. */
export function dayOf(message: Message): string {
  let day = days.get(message);
  if (day === undefined) {
    const at = new Date(message.createdAt);
    const two = (value: number) => String(value).padStart(2, '0');
    day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    days.set(message, day);
  }
  return day;
}
