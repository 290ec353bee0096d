import { z } from 'zod';
import type { PendingReply } from '../store.ts';

/** What the job of a pending reply is told. */
const ReplyRequest = z.object({
  orgId: z.string(),
  messageId: z.string(),
  mention: z.string(),
  /** True if the reply replaces a FAILED or STOPPED one. */
  retry: z.boolean().optional(),
  /** Which retry; a process of an older version does not say. */
  startedAt: z.string().optional(),
});
export type ReplyRequest = z.output<typeof ReplyRequest>;

export const readRequest = (payload: unknown): ReplyRequest => ReplyRequest.parse(payload);

export function requestFor(
  question: Pick<ReplyRequest, 'orgId' | 'messageId'>,
  { mention, startedAt, retry }: PendingReply,
): ReplyRequest {
  return { ...question, mention, ...(retry && { retry, startedAt }) };
}

/** Whether the job is there for this pending reply. Each retry has a job of its own. */
export function isAbout(
  { mention, retry = false, startedAt }: Omit<ReplyRequest, 'orgId' | 'messageId'>,
  pending: PendingReply,
): boolean {
  if (pending.mention !== mention || (pending.retry ?? false) !== retry) return false;
  return startedAt === undefined || startedAt === pending.startedAt;
}
