import { setTimeout as sleep } from 'node:timers/promises';
import { ChatFailure } from '../../../adapters/chat/provider.ts';
import { emit } from '../../../events/emit.ts';
import type { ChannelContext } from '../channel-context.ts';
import { saveStatus } from '../connections/store.ts';
import { breakConnectionFor } from '../breakage.ts';
import { storeDelivery } from '../inbox/service.ts';
import type { UnfinishedReply } from '../outbox/unfinished-replies.ts';
import { createChannel, type Channel } from './channel.ts';
import { isHopeless, LONGEST_PAUSE_MS, pauseMs } from './failures.ts';
import { listActive } from './store.ts';

/** A connection that this process serves. */
export interface Served {
  /** Something waits in this channel. */
  wake(mappingId: string): void;
  /** A reply is being written in this channel's session. */
  show(mappingId: string, reply: UnfinishedReply): void;
  stop(): Promise<void>;
}

/** Slack gives up on an event after a few tries, and says nothing about it. */
const WEBHOOK_LOOK_EVERY_MS = 10 * 60_000;

/** Listens, and works on each channel by itself: a slow one holds up no other. */
export function serveConnection(ctx: ChannelContext, stopping: AbortController): Served {
  const channels = new Map<string, Channel>();
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
    const { db, orgId, connection } = ctx;
    for (const mappingId of await listActive(db, orgId, connection.id)) channelOf(mappingId).wake();
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
        await pause(ctx, pauseMs(error, failures++, ctx.firstPauseMs));
      }
    }
  }

  async function handleFailure(error: unknown): Promise<void> {
    const { db, orgId, connection, log } = ctx;
    const connectionId = connection.id;
    log.warn({ connectionId, err: error }, 'a chat connection was lost, will reconnect');
    try {
      if (isHopeless(error)) return await breakConnectionFor(ctx, connection, error.message);
      const problem = error instanceof ChatFailure ? error.message : 'Something went wrong.';
      await saveStatus(db, orgId, connection, 'CONNECTING', problem);
    } catch (failure) {
      log.warn({ connectionId, err: failure }, "could not save a connection's status");
    }
  }

  const running = run();
  return {
    wake: (mappingId) => channelOf(mappingId).wake(),
    show: (mappingId, reply) => channelOf(mappingId).show(reply),
    async stop() {
      stopping.abort();
      await Promise.all([running, ...[...channels.values()].map((channel) => channel.ended())]);
    },
  };
}

async function pause(ctx: ChannelContext, ms: number): Promise<void> {
  await sleep(ms, undefined, { signal: ctx.signal }).catch(() => {});
}

async function saveConnected(ctx: ChannelContext): Promise<void> {
  const { db, orgId, connection } = ctx;
  if (await saveStatus(db, orgId, connection, 'CONNECTED', null)) {
    emit(ctx, { type: 'channel_connection.connected', connectionId: connection.id });
  }
}
