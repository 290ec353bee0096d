import type { Transaction } from '../../../db/types.ts';
import {
  highestPrice,
  priceOf,
  releaseCredits,
  reserveCredits,
  settleUsage,
  type TokenPrice,
  type UsageRecord,
  type UsedTokens,
} from '../../billing/service.ts';
import type { AgentContext, ReplyJob } from './reply-job.ts';

/** The credits of one reply: reserved before each step of its run, settled when it lands. */
export interface Reservation {
  /** False if the organisation does not have enough. */
  cover(mostTokens: number): Promise<boolean>;
  /** Never more than was reserved, so that a wrong estimate cannot take the balance below zero. */
  priceOf(used: UsedTokens): number;
  /** The most that these tokens can cost, whichever they are. */
  mostFor(tokens: number): number;
}

/** The third stop. */
export function createReservation(
  ctx: AgentContext,
  job: ReplyJob,
  price: TokenPrice,
): Reservation {
  let held = 0;
  return {
    async cover(mostTokens) {
      const credits = highestPrice(mostTokens, price);
      const reservation = { id: reservationOf(job), credits };
      if (!(await reserveCredits(ctx.db, ctx.orgId, reservation, ctx.clock.now()))) return false;
      held = Math.max(held, credits);
      return true;
    },
    priceOf: (used) => Math.min(priceOf(used, price), held),
    mostFor: (tokens) => Math.min(highestPrice(tokens, price), held),
  };
}

/** In the reply's commit. A reply without usage, which has failed, costs nothing. */
export function settleReservation(
  tx: Transaction,
  job: ReplyJob,
  usage: UsageRecord | undefined,
): void {
  if (usage) settleUsage(tx, job.orgId, reservationOf(job), usage);
  else releaseCredits(tx, job.orgId, reservationOf(job));
}

/** By mention, not by model: `@model @gpt` can be two calls of the same model for one message. */
function reservationOf({ messageId, mention }: ReplyJob): string {
  return `${messageId}:${mention}`;
}
