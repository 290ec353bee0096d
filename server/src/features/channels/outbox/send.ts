import { hash } from 'node:crypto';
import { isChatFailure, type OutgoingMessage } from '../../../adapters/chat/provider.ts';
import { withTransaction } from '../../../core/context.ts';
import type { ChannelContext } from '../channel-context.ts';
import type { MappingRow } from '../mappings/store.ts';
import { removeLeft, sentIds, showInThread, textOfFiles } from './files/show.ts';
import { refuseFiles } from './files/store.ts';
import { isAwaited, uploadFiles } from './files/upload.ts';
import {
  collectNew,
  findOutgoing,
  listOutgoing,
  markTried,
  removeFromOutbox,
  saveDelivered,
  saveEmojis,
  type OutgoingRow,
} from './store.ts';

const AT_ONCE = 20;

const LOOK_AGAIN_MS = 500;

/**
 * Brings the channel up to date with the session, one message at a time in the session's order. Returns when to look
 * again, if a message waits for its files.
 */
export async function sendOutgoing(
  ctx: ChannelContext,
  mapping: MappingRow,
  onProgress: () => void,
): Promise<number | undefined> {
  for (;;) {
    const { isComplete } = await withTransaction(ctx, (inner) => collectNew(inner, mapping.id));
    const messageIds = await listOutgoing(ctx, mapping.id, AT_ONCE);
    for (const messageId of messageIds) {
      ctx.signal.throwIfAborted();
      // Read only now: its thread may have been posted just before it.
      const row = await findOutgoing(ctx, mapping.id, messageId);
      if (!row) continue;
      if (isNew(row) && isAwaited(row)) return LOOK_AGAIN_MS;
      await sendOne(ctx, mapping, row);
      await removeFromOutbox(ctx, mapping.id, row);
      onProgress();
    }
    if (isComplete && messageIds.length < AT_ONCE) return undefined;
  }
}

/** What is in the channel already keeps its files as they are there. */
function isNew({ externalId, isDeleted }: OutgoingRow): boolean {
  return externalId === null && !isDeleted;
}

async function sendOne(ctx: ChannelContext, mapping: MappingRow, row: OutgoingRow): Promise<void> {
  if (row.isTheirs) return sendReactions(ctx, mapping, row, row.externalId as string);
  const { messageId } = row;
  const place = { mappingId: mapping.id, messageId };
  if (isNew(row) && (await uploadFiles(ctx, mapping.channelId, place, row.files))) {
    const current = await findOutgoing(ctx, mapping.id, messageId);
    if (current) await sendOne(ctx, mapping, current);
    return;
  }
  await removeLeft(ctx, mapping, place, row);
  const externalId = await sendText(ctx, mapping, row);
  if (externalId === undefined) return;
  const { files, threadId: thread } = row;
  const threadId = thread ?? externalId;
  if (!(await showInThread(ctx, mapping, place, { files, threadId }))) {
    const current = await findOutgoing(ctx, mapping.id, messageId);
    if (current) await sendText(ctx, mapping, current);
  }
  await sendReactions(ctx, mapping, row, externalId);
}

/** The id of the message there, or undefined if it is not there. */
async function sendText(
  ctx: ChannelContext,
  mapping: MappingRow,
  row: OutgoingRow,
): Promise<string | undefined> {
  if (row.isGone) return undefined;
  const known = row.externalId ?? (await findTried(ctx, mapping, row));
  const message = outgoingMessage(ctx, mapping, row);
  const textHash = hashOf(message);
  if (row.isDeleted) {
    if (known === undefined) return undefined;
    await ctx.provider.delete(mapping.channelId, known, ctx.callSignal());
    await save(ctx, mapping, row, known, { isGone: true, textHash: null });
    return undefined;
  }
  if (known === undefined) {
    const posted = await post(ctx, mapping, row, message);
    if (posted === 'WITHOUT_FILES') {
      const current = await findOutgoing(ctx, mapping.id, row.messageId);
      return current && sendText(ctx, mapping, current);
    }
    if (posted === undefined) return undefined;
    await save(ctx, mapping, row, posted.id, { isGone: false, textHash });
    return posted.id;
  }
  const isThere = row.textHash === textHash || (await edit(ctx, known, message));
  await save(ctx, mapping, row, known, { isGone: !isThere, textHash });
  return isThere ? known : undefined;
}

/** A reply may have been posted while it was written, by a process that died before it could say so. */
async function findTried(
  ctx: ChannelContext,
  { channelId }: MappingRow,
  { triedAt, ownId, messageId, threadId, createdAt }: OutgoingRow,
): Promise<string | undefined> {
  const isReply = ownId !== messageId;
  if (triedAt === null && !isReply) return undefined;
  const earliest = createdAt.getTime() - LONGEST_REPLY_MS;
  const since = new Date(Math.min(triedAt?.getTime() ?? Infinity, earliest));
  const place = { channelId, ownId, since, ...(threadId !== null && { threadId }) };
  return ctx.provider.findOwn(place, ctx.callSignal());
}

/** A reply takes two minutes at most, if its job is not run again. */
const LONGEST_REPLY_MS = 5 * 60_000;

/** `WITHOUT_FILES`: it may be taken once they are links. */
async function post(
  ctx: ChannelContext,
  mapping: MappingRow,
  { messageId, files }: OutgoingRow,
  message: OutgoingMessage,
): Promise<{ id: string } | 'WITHOUT_FILES' | undefined> {
  await markTried(ctx, mapping.id, messageId);
  try {
    return { id: await ctx.provider.post(message, ctx.callSignal()) };
  } catch (error) {
    if (isChatFailure(error, 'rejected')) {
      if (message.fileIds?.length) {
        const place = { mappingId: mapping.id, messageId };
        const sent = files.filter(({ refusal }) => refusal === null);
        const fileIds = sent.map(({ id }) => id);
        await refuseFiles(ctx, place, fileIds, 'REFUSED');
        return 'WITHOUT_FILES';
      }
      ctx.log.warn({ mappingId: mapping.id, err: error }, 'the chat system refused a message');
      return undefined;
    }
    if (!isChatFailure(error, 'not_found') || message.threadId === undefined) throw error;
    // Its thread was deleted there.
    const { threadId: _, ...alone } = message;
    return { id: await ctx.provider.post(alone, ctx.callSignal()) };
  }
}

/** False if the message is not there any more. */
export async function edit(
  ctx: ChannelContext,
  externalId: string,
  message: OutgoingMessage,
): Promise<boolean> {
  try {
    await ctx.provider.edit(externalId, message, ctx.callSignal());
    return true;
  } catch (error) {
    if (isChatFailure(error, 'not_found')) return false;
    if (isChatFailure(error, 'rejected')) return true;
    throw error;
  }
}

function outgoingMessage(
  ctx: ChannelContext,
  { channelId }: MappingRow,
  row: OutgoingRow,
): OutgoingMessage {
  const { authorName, ownId, threadId, sessionId, messageId, projectSlug, files } = row;
  const link = `${ctx.site.publicUrl()}/p/${projectSlug}/s/${sessionId}?m=${messageId}`;
  // A message needs a text if its files come after it.
  const namesSent = row.body === '' && ctx.provider.threadFiles !== undefined;
  const text = [row.body, ...textOfFiles(files, link, { namesSent })]
    .filter((part) => part !== '')
    .join('\n\n');
  const fileIds = ctx.provider.threadFiles ? [] : sentIds(files);
  const thread = threadId === null ? {} : { threadId };
  return { channelId, text, authorName, ownId, link, fileIds, ...thread };
}

async function save(
  ctx: ChannelContext,
  mapping: MappingRow,
  row: OutgoingRow,
  externalId: string,
  { isGone, textHash }: { isGone: boolean; textHash: string | null },
): Promise<void> {
  const { ownId, messageId, threadId, emojisThere: emojis } = row;
  const delivered = { externalId, ownId, messageId, threadId, textHash, isGone, emojis };
  await saveDelivered(ctx, mapping, delivered);
}

/** Our bot reacts once for everybody here. */
async function sendReactions(
  ctx: ChannelContext,
  mapping: MappingRow,
  { emojis, emojisThere, isDeleted, isGone }: OutgoingRow,
  externalId: string,
): Promise<void> {
  const wanted = isDeleted ? [] : emojis;
  const missing = wanted.filter((emoji) => !emojisThere.includes(emoji));
  const extra = emojisThere.filter((emoji) => !wanted.includes(emoji));
  if (isGone || (missing.length === 0 && extra.length === 0)) return;
  const { channelId } = mapping;
  const { provider } = ctx;
  for (const emoji of missing) {
    await unlessRefused(provider.react(channelId, externalId, emoji, ctx.callSignal()));
  }
  for (const emoji of extra) {
    await unlessRefused(provider.unreact(channelId, externalId, emoji, ctx.callSignal()));
  }
  await saveEmojis(ctx, mapping, externalId, wanted);
}

/** An older server doesn't know every emoji. The others still go there. */
async function unlessRefused(reacting: Promise<void>): Promise<void> {
  try {
    await reacting;
  } catch (error) {
    if (!isChatFailure(error, 'not_found', 'rejected')) throw error;
  }
}

export function hashOf({ text, authorName }: OutgoingMessage): string {
  return hash('sha256', JSON.stringify([authorName, text]));
}
