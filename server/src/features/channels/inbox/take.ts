import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelContext } from '../channel-context.ts';
import { comesIn } from '../mappings/directions.ts';
import { findMapping, savePlace, type MappingRow } from '../mappings/store.ts';
import { receiveEvent } from './receive.ts';
import { finishEvents, isAboutChannel, listEvents, listKnown, type ChannelEvent } from './store.ts';

const AT_ONCE = 200;
/** How long events wait for earlier ones: chat systems deliver them side by side. */
const SETTLE_MS = 200;
/** How long an event waits for the message that it is about. */
const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 500;

export interface Taken {
  /** When to look again, if something has to wait. */
  againInMs: number | undefined;
  hasLeft: boolean;
  /** It is private, and nobody who may map a private channel has confirmed it. */
  isClosed: boolean;
}

/**
 * Takes what was delivered about a channel into the session, in the order in which it happened there. Stops
 * if earlier events may be missing, because the connection was lost or belongs to somebody else by now.
 */
export async function takeEvents(
  ctx: ChannelContext,
  mapping: MappingRow,
  hasMissed: () => boolean,
): Promise<Taken> {
  const taken: Taken = { againInMs: undefined, hasLeft: false, isClosed: false };
  for (;;) {
    const [first] = await listEvents(ctx, mapping.id, 1);
    if (!first) return taken;
    const settleMs = SETTLE_MS - first.ageMs;
    if (settleMs > 0) await sleep(settleMs, undefined, { signal: ctx.signal });
    const waiting = await listEvents(ctx, mapping.id, AT_ONCE);
    ctx.callSignal();
    if (hasMissed()) return { ...taken, againInMs: 0 };
    // Mattermost doesn't say when, so what was written since may look earlier.
    const isConverted = waiting.some(({ event }) => event.kind === 'channel_converted');
    if (isConverted && (await isClosed(ctx, mapping))) return { ...taken, isClosed: true };
    const ordered = waiting.toSorted((a, b) => timeOf(a.event) - timeOf(b.event));
    const done: string[] = [];
    let place = 0;
    for (const { event, ageMs } of ordered) {
      ctx.signal.throwIfAborted();
      const current = await findOpen(ctx, mapping);
      if (!current) break;
      const origin = { isHistory: false, canWait: ageMs < PATIENCE_MS };
      if (!(await receiveEvent(ctx, current, event, origin))) continue;
      done.push(event.eventId);
      taken.hasLeft ||= event.kind === 'channel_left';
      place = Math.max(place, event.time.getTime());
    }
    await finishEvents(ctx, mapping.connectionId, done);
    if (place > 0) await savePlace(ctx, mapping.id, new Date(place));
    if (done.length < ordered.length) taken.againInMs = LOOK_AGAIN_MS;
    if (done.length === 0 || ordered.length < AT_ONCE) return taken;
  }
}

/** Asks the chat system whether the channel is private now, although a MEMBER mapped it as a public one. */
async function isClosed(ctx: ChannelContext, { channelId, privacy }: MappingRow): Promise<boolean> {
  if (privacy === 'ALLOWED') return false;
  return (await ctx.provider.getChannel(channelId, ctx.callSignal())).isPrivate;
}

/** When it happened there. An edit comes in the place of its message, which it may be the first to tell of. */
function timeOf(event: ChannelEvent): number {
  return (event.kind === 'message' ? event.message.createdAt : event.time).getTime();
}

/**
 * Takes what happened in the channel since it was last known, while nobody listened. `againInMs` says when to
 * do so again, if some of it can't be told yet.
 */
export async function catchUp(
  ctx: ChannelContext,
  mapping: MappingRow,
  missing: Map<string, number>,
  onProgress: () => void,
): Promise<Omit<Taken, 'hasLeft'>> {
  const { channelId, id } = mapping;
  const pages = ctx.provider.fetchSince(channelId, mapping.place, {
    signal: ctx.signal,
    missing,
    async known(from, to) {
      const rows = await listKnown(ctx, id, from, to);
      return rows.map(({ id: messageId, threadId }) => ({
        id: messageId,
        ...(threadId !== null && { threadId }),
      }));
    },
  });
  let againInMs: number | undefined;
  for await (const { events, place, ...page } of pages) {
    // After the page was read: it may have become private just before that.
    if (await isClosed(ctx, mapping)) return { againInMs: undefined, isClosed: true };
    for (const event of events.filter(isAboutChannel)) {
      ctx.signal.throwIfAborted();
      const current = await findOpen(ctx, mapping);
      if (!current) return { againInMs: undefined, isClosed: false };
      await receiveEvent(ctx, current, event, { isHistory: true, canWait: false });
    }
    await savePlace(ctx, id, place);
    onProgress();
    againInMs ??= page.againInMs;
  }
  return { againInMs, isClosed: false };
}

/**
 * The mapping as it is now, if messages still come in. It may have been paused, and started again, since what
 * happened in the channel was asked for.
 */
async function findOpen(ctx: ChannelContext, { id }: MappingRow): Promise<MappingRow | undefined> {
  const mapping = await findMapping(ctx, id);
  return mapping && comesIn(mapping) ? mapping : undefined;
}
