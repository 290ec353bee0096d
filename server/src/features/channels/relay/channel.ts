import { breakMappingFor, closeMappingFor } from '../breakage.ts';
import type { ChannelContext } from '../channel-context.ts';
import { catchUp, takeEvents } from '../inbox/take.ts';
import type { MappingRow } from '../mappings/store.ts';
import { sendUnfinished, type UnfinishedReply } from '../outbox/unfinished-replies.ts';
import { sendOutgoing } from '../outbox/send.ts';
import { replyOwnId } from '../outbox/store.ts';
import { createDirection, type DirectionWork } from './direction.ts';

/**
 * A mapped channel that this process serves. Neither direction waits for the other: chat systems may take one
 * post a second.
 */
export function createChannel(
  ctx: ChannelContext,
  mappingId: string,
  /** Grows whenever something may have been missed. */
  round: () => number,
) {
  const unfinished = new Map<string, UnfinishedReply>();
  const incoming = createDirection(ctx, mappingId, receiving(ctx, round));
  const outgoing = createDirection(ctx, mappingId, sending(ctx, unfinished));
  return {
    /** Something waits in it. */
    wake() {
      incoming.wake();
      outgoing.wake();
    },
    /** A reply is being written in its session. */
    show(reply: UnfinishedReply) {
      const ownId = replyOwnId(reply.place);
      if (unfinished.has(ownId)) return;
      unfinished.set(ownId, reply);
      outgoing.wake();
    },
    ended: () => Promise.all([incoming.ended(), outgoing.ended()]),
  };
}

function receiving(ctx: ChannelContext, round: () => number): DirectionWork {
  let caughtUpIn = 0;
  /** When to catch up once more, although nothing was missed since. */
  let againAt = Infinity;
  const untilAgain = () => againAt - performance.now();
  const missing = new Map<string, number>();
  function rest() {
    caughtUpIn = 0;
  }
  async function close(mapping: MappingRow): Promise<undefined> {
    await closeMappingFor(ctx, mapping);
  }
  return {
    rest,
    async run(mapping, onProgress) {
      if (mapping.direction === 'OUT') {
        rest();
        return undefined;
      }
      const current = round();
      if (caughtUpIn !== current || untilAgain() <= 0) {
        const caughtUp = await catchUp(ctx, mapping, missing, onProgress);
        if (caughtUp.isClosed) return close(mapping);
        againAt = performance.now() + (caughtUp.againInMs ?? Infinity);
        if (caughtUp.againInMs === undefined) missing.clear();
      }
      caughtUpIn = current;
      const taken = await takeEvents(ctx, mapping, () => round() !== current);
      if (taken.isClosed) return close(mapping);
      if (!taken.hasLeft) return Math.min(taken.againInMs ?? Infinity, untilAgain());
      await breakMappingFor(ctx, mapping, 'The bot is not in the channel any more.');
      return undefined;
    },
  };
}

function sending(ctx: ChannelContext, unfinished: Map<string, UnfinishedReply>): DirectionWork {
  return {
    async run(mapping, onProgress) {
      if (mapping.direction === 'IN') return undefined;
      let againInMs = await sendOutgoing(ctx, mapping, onProgress);
      for (const [ownId, reply] of unfinished) {
        const nextInMs = await sendUnfinished(ctx, mapping, reply);
        if (nextInMs === undefined) unfinished.delete(ownId);
        againInMs = Math.min(againInMs ?? Infinity, nextInMs ?? Infinity);
      }
      return againInMs;
    },
  };
}
