import type { Context } from '../../context.ts';
import { searchMemories, type Found, type Reader } from '../memory/service.ts';
import type { Question } from '../messages/replies/service.ts';

/**
 * What an agent may read: the org's memory and this Project's, as every reader of its answer may.
 * Never PRIVATE memory, not even the asker's own: the answer is posted to all.
 */
export function agentReader(orgId: string, projectId: string): Reader {
  return { orgId, userId: null, role: 'OWNER', projectIds: [projectId] };
}

export async function findMemories(
  ctx: Context,
  question: Question,
  query: string,
  limit: number,
): Promise<Found[]> {
  const reader = agentReader(ctx.orgId, question.projectId);
  const { found } = await searchMemories(ctx, { query, limit }, reader);
  return found;
}

/** The longest query that a search takes. */
const LONGEST_QUERY = 2000;

/** What is asked, without whom. Empty where nothing is left. */
export function queryOf(body: string): string {
  return body
    .replaceAll(/(^|[\s(])@[\w-][\w.:-]*/g, '$1')
    .trim()
    .slice(0, LONGEST_QUERY)
    .toWellFormed();
}
