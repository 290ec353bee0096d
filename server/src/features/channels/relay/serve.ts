import { setTimeout as sleep } from 'node:timers/promises';
import { ChatFailure, isChatFailure } from '../../../adapters/chat/provider.ts';
import { emit } from '../../../events/emit.ts';
import type { ChannelContext } from '../channel-context.ts';
import { saveStatus } from '../connections/store.ts';
import { breakConnectionFor } from '../breakage.ts';
import { storeDelivery } from '../inbox/service.ts';
import type { UnfinishedReply } from '../outbox/unfinished-replies.ts';
import { createChannel } from './channel.ts';
import { LONGEST_PAUSE_MS, pauseMs } from './failures.ts';
import { listActive } from './store.ts';

/** Slack gives up on an event after a few tries, and says nothing about it. */
const WEBHOOK_LOOK_EVERY_MS = 10 * 60_000;

/** Listens, and works on each channel by itself: a slow one holds up no other. */
export function serveConnection(ctx: ChannelContext, stopping: AbortController) {
  const channels = new Map<string, ReturnType<typeof createChannel>>();
  /** Grows whenever something may have been missed. */
  let round = 1;

  const channelOf = (mappingId: string) => {
    const known = channels.get(mappingId);
    if (known) return known;
    const channel = createChannel(ctx, mappingId, () => round);
    channels.set(mappingId, channel);
    return channel;
  };

  async function lookEverywhere(): Promise<void> {
    round++;
    ctx.people.forget();
    for (const mappingId of await listActive(ctx, ctx.connection.id)) channelOf(mappingId).wake();
  }

  async function listenOnce(): Promise<void> {
    const stream = await ctx.provider.listen(ctx.signal);
    await saveConnected(ctx);
    await lookEverywhere();
    for await (const delivery of stream) {
      await storeDelivery(ctx, ctx.connection, delivery.events);
      delivery.acknowledge();
    }
  }

  async function waitForWebhooks(): Promise<void> {
    await ctx.provider.check(ctx.callSignal());
    await saveConnected(ctx);
    await lookEverywhere();
    await sleep(WEBHOOK_LOOK_EVERY_MS, undefined, { signal: ctx.signal });
  }

  async function run(): Promise<void> {
    const listen = ctx.connection.mode === 'SOCKET' ? listenOnce : waitForWebhooks;
    for (let failures = 0; !ctx.signal.aborted;) {
      const startedAt = performance.now();
      try {
        await listen();
        failures = 0;
      } catch (error) {
        if (ctx.signal.aborted) return;
        if (performance.now() - startedAt > LONGEST_PAUSE_MS) failures = 0;
        await handleFailure(error);
        const ms = pauseMs(error, failures++, ctx.firstPauseMs);
        await sleep(ms, undefined, { signal: ctx.signal }).catch(() => {});
      }
    }
  }

  async function handleFailure(error: unknown): Promise<void> {
    const { connection, log } = ctx;
    const connectionId = connection.id;
    log.warn({ connectionId, err: error }, 'a chat connection was lost, will reconnect');
    try {
      if (isChatFailure(error, 'unauthorized')) {
        return await breakConnectionFor(ctx, connection, error.message);
      }
      const problem = error instanceof ChatFailure ? error.message : 'Something went wrong.';
      await saveStatus(ctx, connection, 'CONNECTING', problem);
    } catch (failure) {
      log.warn({ connectionId, err: failure }, "could not save a connection's status");
    }
  }

  const running = run();
  return {
    /** Something waits in this channel. */
    wake: (mappingId: string) => channelOf(mappingId).wake(),
    /** A reply is being written in this channel's session. */
    show: (mappingId: string, reply: UnfinishedReply) => channelOf(mappingId).show(reply),
    async stop() {
      stopping.abort();
      await Promise.all([running, ...[...channels.values()].map((channel) => channel.ended())]);
    },
  };
}

async function saveConnected(ctx: ChannelContext): Promise<void> {
  if (await saveStatus(ctx, ctx.connection, 'CONNECTED', null)) {
    emit(ctx, { type: 'channel_connection.connected', connectionId: ctx.connection.id });
  }
}
