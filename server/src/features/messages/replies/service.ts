import type { ModelRegistry } from '../../../adapters/models/model.ts';
import { withTransaction, type Context } from '../../../context.ts';
import type { Queryable, Transaction } from '../../../db/types.ts';
import { laneInShare } from '../../../jobs/queue.ts';
import { findOrgCreator, insertReplyAtCommit, replaceFailedReply, type NewReply } from './store.ts';

export {
  findQuestion,
  listAnswered,
  listSpokenBefore,
  listSpokenHeads,
  listThreadBefore,
  readBodies,
  type NewReply,
  type Question,
  type SpokenHead,
  type SpokenMessage,
} from './store.ts';
export type { ToolCall } from '../store.ts';

/** The job that answers one mention of one message. */
export const AGENT_REPLY = 'agent-reply';

/** So many distinct mentions answer one message. */
const MOST_REPLIES = 5;

/** `@model`, and every model by its own name. MCP servers answer too, where they serve the Project. */
export function answersMention(models: ModelRegistry, slug: string): boolean {
  return slug === 'model' || models.find(slug) !== undefined;
}

/** One job for each mention that answers. */
export async function enqueueReplies(
  ctx: Pick<Context, 'jobs' | 'orgId'> & { db: Transaction },
  messageId: string,
  answering: readonly string[],
): Promise<void> {
  if (answering.length === 0) return;
  const lane = await replyLane(ctx);
  for (const mention of answering.slice(0, MOST_REPLIES)) {
    const payload = { orgId: ctx.orgId, messageId, mention };
    ctx.jobs.enqueue(ctx.db, { kind: AGENT_REPLY, payload, lane });
  }
}

/** Asking twice for another try is asking once. */
export async function enqueueRetry(
  ctx: Pick<Context, 'jobs' | 'orgId'> & { db: Transaction },
  asked: { messageId: string; mention: string },
): Promise<void> {
  const payload = { orgId: ctx.orgId, ...asked, retry: true };
  const lane = await replyLane(ctx);
  ctx.jobs.enqueue(ctx.db, { kind: AGENT_REPLY, payload, lane, unlessQueued: true });
}

/** One for each org, so that no org crowds out another; orgs that one person created have one share. */
async function replyLane({ db, orgId }: { db: Queryable; orgId: string }): Promise<string> {
  const creatorId = await findOrgCreator(db, orgId);
  return creatorId === null ? orgId : laneInShare(creatorId, orgId);
}

class AlreadyAnswered extends Error {}

/**
 * Writes the reply together with what `along` adds to the commit. False, and nothing written, where
 * the mention has been answered meanwhile: there is one reply each, whoever else ran the job.
 */
export async function landReply(
  ctx: { db: Queryable; orgId: string },
  reply: NewReply,
  { inPlace, along }: { inPlace: boolean; along: (tx: Transaction) => void },
): Promise<boolean> {
  try {
    await withTransaction(ctx, async ({ db }) => {
      if (!inPlace) insertReplyAtCommit(db, ctx.orgId, reply, () => new AlreadyAnswered());
      else if (!(await replaceFailedReply(db, ctx.orgId, reply))) throw new AlreadyAnswered();
      along(db);
    });
    return true;
  } catch (error) {
    if (error instanceof AlreadyAnswered) return false;
    throw error;
  }
}
