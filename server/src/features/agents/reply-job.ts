import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/types.ts';
import type { OpenReplies } from './open-replies.ts';

export interface AgentContext extends Context {
  db: Database;
  /** How long a reply may take. */
  deadlineMs: number;
  openReplies: OpenReplies;
}

const ReplyJob = z.object({
  orgId: z.string(),
  messageId: z.string(),
  mention: z.string(),
  /** True if the reply replaces a FAILED or STOPPED one. */
  retry: z.boolean().optional(),
});
export type ReplyJob = z.output<typeof ReplyJob>;

export const readReplyJob = (payload: unknown): ReplyJob => ReplyJob.parse(payload);

/** A person waits at most this long for a reply or a failure. */
export const DEADLINE_MS = 120_000;

/** A run ends when the signal is aborted, at `endsAt` at the latest, by performance.now(). */
export interface RunLimits {
  signal: AbortSignal;
  endsAt: number;
  /** When aborted, what was written until then is the reply. */
  stop: AbortSignal;
}
