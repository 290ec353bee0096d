import type { Context } from '../../../core/context.ts';
import type { Database } from '../../../db/types.ts';
import type { OpenReplies } from './open-replies.ts';

export interface AgentContext extends Context {
  db: Database;
  /** How long a reply may take. */
  deadlineMs: number;
  openReplies: OpenReplies;
}

export {
  readRequest as readReplyJob,
  type ReplyRequest as ReplyJob,
} from '../../messages/replies/service.ts';

/** A person waits at most this long for a reply or a failure. */
export const DEADLINE_MS = 120_000;

/** A run ends when the signal is aborted, at `endsAt` at the latest, by performance.now(). */
export interface RunLimits {
  signal: AbortSignal;
  endsAt: number;
  /** When aborted, what was written until then is the reply. */
  stop: AbortSignal;
}
