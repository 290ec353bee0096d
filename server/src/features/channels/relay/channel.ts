import { breakMappingFor, closeMappingFor } from '../breakage.ts';
import type { ChannelContext } from '../channel-context.ts';
import { catchUp, takeEvents } from '../inbox/take.ts';
import type { MappingRow } from '../mappings/store.ts';
import { sendDraft, type ReplyDraft } from '../outbox/drafts.ts';
import { sendOutgoing } from '../outbox/send.ts';
import { replyOwnId } from '../outbox/store.ts';
import { createLane, type LaneWork } from './lane.ts';

/** A mapped channel that this process serves. */
export interface Channel {
  /** Something waits in it. */
  wake(): void;
  /** A reply is being written in its session. */
  show(draft: ReplyDraft): void;
  ended(): Promise<unknown>;
}

/** Neither direction waits for the other: chat systems may take one post a second. */
export function createChannel(
  ctx: ChannelContext,
  mappingId: string,
  /** Grows whenever something may have been missed. */
  round: () => number,
): Channel {
  const drafts = new Map<string, ReplyDraft>();
  const incoming = createLane(ctx, mappingId, receiving(ctx, round));
  const outgoing = createLane(ctx, mappingId, sending(ctx, drafts));
  return {
    wake() {
      incoming.wake();
      outgoing.wake();
    },
    show(draft) {
      const ownId = replyOwnId(draft.place);
      if (drafts.has(ownId)) return;
      drafts.set(ownId, draft);
      outgoing.wake();
    },
    ended: () => Promise.all([incoming.ended(), outgoing.ended()]),
  };
}

function receiving(ctx: ChannelContext, round: () => number): LaneWork {
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

function sending(ctx: ChannelContext, drafts: Map<string, ReplyDraft>): LaneWork {
  return {
    async run(mapping, onProgress) {
      if (mapping.direction === 'IN') return undefined;
      await sendOutgoing(ctx, mapping, onProgress);
      let againInMs: number | undefined;
      for (const [ownId, draft] of drafts) {
        const nextInMs = await sendDraft(ctx, mapping, draft);
        if (nextInMs === undefined) drafts.delete(ownId);
        againInMs = Math.min(againInMs ?? Infinity, nextInMs ?? Infinity);
      }
      return againInMs;
    },
  };
}
