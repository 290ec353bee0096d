import type { Transaction } from '../../../db/types.ts';
import {
  priceOf,
  releaseCredits,
  reserveCredits,
  settleUsage,
  type UsageRecord,
} from '../../billing/service.ts';
import type { AgentContext, ReplyJob } from './reply-job.ts';

/** The credits of one reply: reserved before each step of its run, settled when it lands. */
export interface Reservation {
  /** False if the organisation does not have enough. */
  cover(mostTokens: number): Promise<boolean>;
  /** Never more than was reserved, so that a wrong estimate cannot take the balance below zero. */
  priceOf(tokens: number): number;
}

/** The third stop. */
export function createReservation(
  ctx: AgentContext,
  job: ReplyJob,
  creditsPer1kTokens: number,
): Reservation {
  let held = 0;
  return {
    async cover(mostTokens) {
      const credits = priceOf(mostTokens, creditsPer1kTokens);
      const reservation = { id: reservationOf(job), credits };
      if (!(await reserveCredits(ctx.db, ctx.orgId, reservation, ctx.clock.now()))) return false;
      held = Math.max(held, credits);
      return true;
    },
    priceOf: (tokens) => Math.min(priceOf(tokens, creditsPer1kTokens), held),
  };
}

/** In the reply's commit. A reply without usage, which has failed, costs nothing. */
export function settleReservation(
  tx: Transaction,
  job: ReplyJob,
  usage: Omit<UsageRecord, 'entryId'> | undefined,
): void {
  if (usage) settleUsage(tx, job.orgId, reservationOf(job), usage);
  else releaseCredits(tx, job.orgId, reservationOf(job));
}

/** By mention, not by model: `@model @gpt` can be two calls of the same model for one message. */
function reservationOf({ messageId, mention }: ReplyJob): string {
  return `${messageId}:${mention}`;
}
