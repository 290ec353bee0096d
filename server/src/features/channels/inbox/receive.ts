import { hash } from 'node:crypto';
import { withoutQuoteMarks, type ChatMessage } from '../../../adapters/chat/provider.ts';
import {
  editArrived,
  eraseArrived,
  listExternalReactions,
  postArrival,
  saveArrivedReaction,
  type SharedMessage,
} from '../../messages/inbound/service.ts';
import type { ChannelContext } from '../channel-context.ts';
import { renameChannel, type MappingRow } from '../mappings/store.ts';
import { bodyOf } from './body.ts';
import { awaitLateAtCommit } from './late/service.ts';
import { nameOf, takeFiles, withoutShown } from './files.ts';
import { admitReplies } from './quota.ts';
import { findPerson, type Person } from './people.ts';
import {
  findLink,
  insertLink,
  listNamesOfFiles,
  listReplies,
  updateLink,
  type ChannelEvent,
  type Link,
} from './store.ts';

/** Where an event comes from: a delivery, which may be early, or the channel's history. */
export interface Origin {
  isHistory: boolean;
  /** Whether to wait for a message that this one refers to. Messages may arrive in any order. */
  canWait: boolean;
}

/** Clocks differ. A message that is delivered now is not much older than its mapping, if it is new. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;

/**
 * Brings one thing that happened in the channel into the session, once, however often it is told. Returns
 * false if it has to wait for something else.
 */
export async function receiveEvent(
  ctx: ChannelContext,
  mapping: MappingRow,
  event: ChannelEvent,
  origin: Origin,
): Promise<boolean> {
  switch (event.kind) {
    case 'message':
      return receiveMessage(ctx, mapping, event.message, origin);
    case 'message_deleted':
      await receiveDeletion(ctx, mapping, event, origin);
      return true;
    case 'reaction_added':
    case 'reaction_removed':
      return event.isOwn || receiveReaction(ctx, mapping, event, origin);
    case 'channel_renamed':
      await renameChannel(ctx, mapping.id, event.name);
      return true;
    default:
      return true;
  }
}

async function receiveMessage(
  ctx: ChannelContext,
  mapping: MappingRow,
  message: ChatMessage,
  origin: Origin,
): Promise<boolean> {
  const link = await findLink(ctx, mapping, message.id);
  if (!link) return message.isOwn || receiveNew(ctx, mapping, message, origin);
  const shared = sharedMessage(mapping, link);
  if (!shared || link.deletedAt !== null) return true;
  if (link.ownId === null && isNewer(message, link)) {
    const names = await listNamesOfFiles(ctx, shared.id);
    const here = message.files?.filter(({ name }) => names.includes(nameOf(name))) ?? [];
    const text = withoutShown(message.text, here);
    const arrived = await bodyOf(ctx, mapping.sessionId, text, here.length > 0);
    const changes = {
      editedAt: message.editedAt ?? null,
      deletedAt: null,
      textHash: hashOf(message.text),
    };
    await editArrived(ctx, shared, arrived, (tx) =>
      updateLink({ ...ctx, db: tx }, mapping, link.externalId, changes),
    );
  }
  if (message.reactions) await receiveReactions(ctx, mapping, shared, message.reactions);
  return true;
}

async function receiveNew(
  ctx: ChannelContext,
  mapping: MappingRow,
  message: ChatMessage,
  { isHistory, canWait }: Origin,
): Promise<boolean> {
  // Once it was started again, what was written before that must not come in late.
  const isExact = isHistory || mapping.startsAt > mapping.createdAt;
  const oldest = mapping.startsAt.getTime() - (isExact ? 0 : CLOCK_DIFFERENCE_MS);
  if (message.createdAt.getTime() < oldest) return true;
  const thread = message.threadId ? await findLink(ctx, mapping, message.threadId) : undefined;
  if (message.threadId !== undefined && thread?.messageId == null && canWait) return false;
  const person = await authorOf(ctx, mapping, message);
  const uploadedById = person.member?.userId ?? null;
  const { fileIds, text, late } = await takeFiles(ctx, mapping, message, uploadedById);
  const { sessionId, projectId, provider, answers, connectionId } = mapping;
  await postArrival(
    ctx,
    {
      sessionId,
      projectId,
      parentMessageId: thread?.messageId ?? null,
      ...(await bodyOf(ctx, sessionId, text, fileIds.length > 0)),
      fileIds,
      authorUserId: person.member?.userId ?? null,
      origin: { provider, id: person.id, name: person.name || 'Somebody' },
      isAnswered: isAnswered(answers, person),
      admit: (tx, replies) =>
        admitReplies({ ...ctx, db: tx }, mapping, { authorId: person.id, replies }),
    },
    async (tx, messageId) => {
      const inner = { ...ctx, db: tx };
      const isFirst = await insertLink(inner, mapping, {
        externalId: message.id,
        messageId,
        threadId: message.threadId ?? null,
        writtenAt: message.createdAt,
        editedAt: message.editedAt ?? null,
        deletedAt: null,
        textHash: hashOf(message.text),
      });
      const place = { messageId, sessionId, projectId, connectionId, uploadedById };
      if (isFirst) awaitLateAtCommit(inner, place, late);
      return isFirst;
    },
  );
  if (!message.reactions?.length) return true;
  const link = await findLink(ctx, mapping, message.id);
  const shared = link && sharedMessage(mapping, link);
  if (shared) await receiveReactions(ctx, mapping, shared, message.reactions);
  return true;
}

async function authorOf(
  ctx: ChannelContext,
  { sessionId }: MappingRow,
  { authorId, authorName = '', isBot }: ChatMessage,
): Promise<Person> {
  if (authorId === '') return { id: '', name: authorName, isBot: true, member: undefined };
  if (isBot && authorName !== '') {
    return { id: authorId, name: authorName, isBot, member: undefined };
  }
  const person = await findPerson(ctx, sessionId, authorId);
  const member = isBot ? undefined : person.member;
  return { ...person, isBot: isBot || person.isBot, name: person.name || authorName, member };
}

/** Only by what was chosen here: nothing that somebody outside writes or is called changes it. */
export function isAnswered(
  answers: MappingRow['answers'],
  { isBot, member }: Pick<Person, 'isBot' | 'member'>,
): boolean {
  if (isBot || answers === 'NONE') return false;
  return member !== undefined || answers === 'EVERYONE';
}

async function receiveDeletion(
  ctx: ChannelContext,
  mapping: MappingRow,
  event: { messageId: string; threadId?: string; time: Date },
  { isHistory }: Origin,
): Promise<void> {
  const link = await findLink(ctx, mapping, event.messageId);
  if (!link) {
    if (isHistory) return;
    // The message itself may arrive later.
    await insertLink(ctx, mapping, {
      externalId: event.messageId,
      messageId: null,
      threadId: event.threadId ?? null,
      writtenAt: event.time,
      editedAt: null,
      deletedAt: event.time,
      textHash: null,
    });
    return;
  }
  await eraseLinked(ctx, mapping, link, event.time, isHistory);
  if (mapping.provider !== 'MATTERMOST' || link.threadId !== null) return;
  // Mattermost deletes a thread with its first message, and says nothing about the replies.
  for (const reply of await listReplies(ctx, mapping.id, link.externalId)) {
    await eraseLinked(ctx, mapping, reply, event.time, isHistory);
  }
}

/** What was written here stays here, whoever removes it there. */
async function eraseLinked(
  ctx: ChannelContext,
  mapping: MappingRow,
  link: Link,
  deletedAt: Date,
  isHistory: boolean,
): Promise<void> {
  if (link.deletedAt !== null) return;
  const changes = { ...link, deletedAt };
  const mark = (db: ChannelContext['db']) =>
    updateLink({ ...ctx, db }, mapping, link.externalId, changes);
  const shared = sharedMessage(mapping, link);
  if (link.ownId === null && shared) await eraseArrived(ctx, shared, mark);
  else if (!isHistory) await mark(ctx.db);
}

async function receiveReaction(
  ctx: ChannelContext,
  mapping: MappingRow,
  event: { kind: string; messageId: string; userId: string; emoji: string },
  { canWait }: Origin,
): Promise<boolean> {
  const link = await findLink(ctx, mapping, event.messageId);
  if (!link) return !canWait;
  const shared = sharedMessage(mapping, link);
  if (!shared || link.deletedAt !== null) return true;
  const isSet = event.kind === 'reaction_added';
  await saveReaction(ctx, mapping, shared, { ...event, isSet });
  return true;
}

/** All reactions that the message has there now, without our own. */
async function receiveReactions(
  ctx: ChannelContext,
  mapping: MappingRow,
  shared: SharedMessage,
  reactions: readonly { emoji: string; userId: string }[],
): Promise<void> {
  const keyOf = (emoji: string, userId: string) => `${emoji} ${userId}`;
  const there = reactions.filter(({ userId }) => userId !== ctx.connection.botId);
  const known = await listExternalReactions(ctx, shared.id);
  const wanted = new Set(there.map(({ emoji, userId }) => keyOf(emoji, userId)));
  const had = new Set(known.map(({ emoji, externalId }) => keyOf(emoji, externalId)));
  for (const { emoji, userId } of there) {
    if (had.has(keyOf(emoji, userId))) continue;
    await saveReaction(ctx, mapping, shared, { emoji, userId, isSet: true });
  }
  for (const { emoji, externalId: userId } of known) {
    if (wanted.has(keyOf(emoji, userId))) continue;
    await saveReaction(ctx, mapping, shared, { emoji, userId, isSet: false });
  }
}

async function saveReaction(
  ctx: ChannelContext,
  mapping: MappingRow,
  shared: SharedMessage,
  { emoji, userId, isSet }: { emoji: string; userId: string; isSet: boolean },
): Promise<void> {
  const { member } = await findPerson(ctx, mapping.sessionId, userId);
  const reactor = { externalId: userId, userId: member?.userId ?? null };
  await saveArrivedReaction(ctx, shared, { ...reactor, emoji, isSet });
}

function sharedMessage(
  { projectId, sessionId }: MappingRow,
  { messageId }: Link,
): SharedMessage | undefined {
  return messageId === null ? undefined : { id: messageId, projectId, sessionId };
}

/** Of two versions, the one that was edited later is right, in whichever order they arrive. */
function isNewer(message: ChatMessage, link: Link): boolean {
  if (hashOf(message.text) === link.textHash) return false;
  return (message.editedAt?.getTime() ?? 0) >= (link.editedAt?.getTime() ?? 0);
}

function hashOf(text: string): string {
  return hash('sha256', withoutQuoteMarks(text));
}
