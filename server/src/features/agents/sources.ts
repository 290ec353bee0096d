import type { Context } from '../../context.ts';
import { searchMemories, type RankedMemory, type Reader } from '../memory/service.ts';
import type { Question } from '../messages/replies/service.ts';

/**
 * An agent reads the organisation's and this Project's memory, as every reader of its answer may. It never
 * reads PRIVATE memory, not even the asker's own, because everyone sees the answer.
 */
export function agentReader(orgId: string, projectId: string): Reader {
  return { orgId, userId: null, role: 'OWNER', projectIds: [projectId] };
}

export async function findMemories(
  ctx: Context,
  question: Question,
  query: string,
  limit: number,
): Promise<RankedMemory[]> {
  const reader = agentReader(ctx.orgId, question.projectId);
  const { found } = await searchMemories(ctx, { query, limit }, reader);
  return found;
}

/** The longest query that a search accepts. */
const LONGEST_QUERY = 2000;

/** The question without its mentions. Can be empty. */
export function queryOf(body: string): string {
  return body
    .replaceAll(/(^|[\s(])@[\w-][\w.:-]*/g, '$1')
    .trim()
    .slice(0, LONGEST_QUERY)
    .toWellFormed();
}
