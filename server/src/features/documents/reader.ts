import type { Role, UserContext } from '../../core/context.ts';

/** On whose behalf documents are read. */
export type DocumentReader = PersonReader | SessionReader;

interface PersonReader {
  orgId: string;
  userId: string;
  role: Role;
}

/** Everybody who reads a session: what an agent that answers there may read. */
interface SessionReader {
  orgId: string;
  sessionId: string;
  /** True if people of a chat channel read along. They have nothing but the session's own files. */
  isOverheard: boolean;
}

export function readerOf({ orgId, actor }: UserContext): DocumentReader {
  return { orgId, userId: actor.userId, role: actor.role };
}
