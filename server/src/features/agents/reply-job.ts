import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/types.ts';

export interface AgentContext extends Context {
  db: Database;
  /** How long a reply may take. */
  deadlineMs: number;
}

const ReplyJob = z.object({
  orgId: z.string(),
  messageId: z.string(),
  mention: z.string(),
  /** True if the reply replaces a FAILED one. */
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
}
