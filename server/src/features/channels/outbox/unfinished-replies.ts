import type { ReplyPlace } from '../../../bus/reply-lines.ts';
import { isChatFailure } from '../../../adapters/chat/provider.ts';
import { isModel, usualName } from '../../mentions/service.ts';
import type { ChannelContext } from '../channel-context.ts';
import type { MappingRow } from '../mappings/store.ts';
import { edit } from './send.ts';
import { findUnfinishedPlace, replyOwnId, saveDelivered, type UnfinishedPlace } from './store.ts';

/** A reply that is being written. */
export interface UnfinishedReply {
  place: ReplyPlace;
  /** What there is of it now. Undefined if nobody writes it any more. */
  read(): string | undefined;
  /** What the channel shows of it. */
  sentText: string;
  sentAt?: number;
}

/** Chat systems ask for no more than one edit a second. */
const EVERY_MS = 1_000;

/**
 * Shows what there is of a reply in the channel. Returns when to look again, or undefined if it is no longer
 * written. It is only a view: what lands replaces it, like any message that has changed.
 */
export async function sendUnfinished(
  ctx: ChannelContext,
  mapping: MappingRow,
  reply: UnfinishedReply,
): Promise<number | undefined> {
  const text = reply.read();
  if (text === undefined) return undefined;
  const restMs = (reply.sentAt ?? -Infinity) + EVERY_MS - performance.now();
  if (restMs > 0) return restMs;
  if (text.trim() === '' || text === reply.sentText) return EVERY_MS;
  const place = await findUnfinishedPlace(ctx, mapping.id, reply.place);
  if (!place || place.hasLanded) return undefined;
  reply.sentAt = performance.now();
  try {
    await send(ctx, mapping, reply.place, place, `${text} …`);
    reply.sentText = text;
  } catch (error) {
    if (!isChatFailure(error, 'rate_limited', 'temporary')) throw error;
    reply.sentAt = performance.now() + (error.retryAfterMs ?? 0);
  }
  return EVERY_MS;
}

async function send(
  ctx: ChannelContext,
  mapping: MappingRow,
  reply: ReplyPlace,
  place: UnfinishedPlace,
  text: string,
): Promise<void> {
  const { channelId } = mapping;
  const { threadId, askedAt: since } = place;
  const ownId = replyOwnId(reply);
  const thread = threadId === null ? {} : { threadId };
  const authorName = place.agentName ?? (await nameOf(ctx, reply.mention, place));
  const message = { channelId, text, authorName, ownId, ...thread };
  const known =
    place.externalId ??
    (await ctx.provider.findOwn({ channelId, ownId, since, ...thread }, ctx.callSignal()));
  if (known !== undefined && !(await edit(ctx, known, message))) return;
  const externalId = known ?? (await ctx.provider.post(message, ctx.callSignal()));
  await saveDelivered(ctx, mapping, {
    externalId,
    ownId,
    messageId: null,
    threadId,
    textHash: null,
    isGone: false,
    emojis: [],
  });
}

/** Whoever answers: a model by its own name, or the one that usually does. */
async function nameOf(
  ctx: ChannelContext,
  mention: string,
  place: UnfinishedPlace,
): Promise<string> {
  return mention !== 'model' && (await isModel(ctx, mention)) ? mention : usualName(ctx, place);
}
