import type { Context } from '../../../core/context.ts';
import type { Transaction } from '../../../db/types.ts';
import { newId } from '../../../core/ids.ts';
import { emit } from '../../../events/emit.ts';
import { usualName } from '../../mentions/service.ts';
import { insertReplyAtCommit, type NewReply } from '../replies/store.ts';
import { hashBody } from '../search/index-body.ts';
import { findChoices } from './store.ts';

/** A refusal in place of a reply that nobody writes, in the transaction of its question. */
export async function landRefusal(
  ctx: Omit<Context, 'db'> & { db: Transaction },
  question: { id: string; projectId: string; sessionId: string; parentMessageId: string | null },
  mention: string,
  message: string,
): Promise<void> {
  const { id: inReplyToMessageId, projectId, sessionId, parentMessageId } = question;
  const refusal: NewReply = {
    id: newId(),
    sessionId,
    parentMessageId,
    inReplyToMessageId,
    mention,
    agentSlug:
      mention === 'model' ? await usualName(ctx, await findChoices(ctx, sessionId)) : mention,
    body: message,
    status: 'FAILED',
    error: { code: 'rate_limited', message },
    citations: [],
    toolCalls: [],
    usage: { inputTokens: 0, outputTokens: 0, credits: 0, latencyMs: 0 },
    createdAt: ctx.clock.now(),
  };
  const indexed = { ...refusal, hashes: await hashBody(ctx.orgId, message) };
  insertReplyAtCommit(ctx, indexed, () => new Error('the question is new'));
  emit(ctx, {
    type: 'message.created',
    messageId: refusal.id,
    projectId,
    sessionId,
    authorUserId: null,
    createdAt: refusal.createdAt.toISOString(),
    parentMessageId,
    mentionedUserIds: [],
    isAnswer: true,
    isQuiet: true,
  });
}
