import type { Context } from '../../../core/context.ts';
import { searchMemories, type RankedMemory, type Reader } from '../../memory/service.ts';
import { findPassages, type DocumentReader, type FoundPassage } from '../../documents/service.ts';
import type { Question } from '../../messages/replies/service.ts';
import { findMessages, type MessageMatch } from '../../messages/search/service.ts';

/**
 * An agent reads the organisation's and this Project's memory, as every reader of its answer may. It never
 * reads PRIVATE memory, not even the asker's own, because everyone sees the answer. If the session is also a
 * chat channel, the people there are readers too, and ORG memory is for them only if a manager shares it.
 */
export function agentReader(orgId: string, { projectId, channel }: Question): Reader {
  const isOverheard = channel !== null && !channel.sharesOrgMemory;
  return { orgId, userId: null, role: 'OWNER', projectIds: [projectId], isOverheard };
}

/** What people in a chat channel can have an agent do: search what they may read anyway. */
const READING_TOOLS = new Set([
  'search_memory',
  'search_messages',
  'search_documents',
  'read_document',
]);
/** They show tasks, which people in a chat channel may not read. */
const TASK_READING_TOOLS = new Set(['list_tasks', 'update_task']);

/**
 * What every agent has if its prompt lacks text of a file, whatever its definition lists: they read nothing that
 * could not be in the prompt.
 */
export const FILE_TOOLS = ['search_documents', 'read_document'] as const;

/** The built-in tools that an agent has for this question, of those it has at all. */
export function toolsFor(
  { channel, askerUserId, isDirect }: Pick<Question, 'channel' | 'askerUserId' | 'isDirect'>,
  tools: readonly string[],
): string[] {
  // A direct conversation has neither tasks nor a memory of its own.
  if (askerUserId === null || isDirect) return tools.filter((tool) => READING_TOOLS.has(tool));
  if (channel === null) return [...tools];
  return tools.filter((tool) => !TASK_READING_TOOLS.has(tool));
}

export async function findMemories(
  ctx: Context,
  question: Question,
  query: string,
  limit: number,
): Promise<RankedMemory[]> {
  const reader = agentReader(ctx.orgId, question);
  const { found } = await searchMemories(ctx, { query, limit }, reader);
  return found;
}

/**
 * What was said in this session and in those that all members of its Project may read, without the question.
 * If the session is also a chat channel: only in this one.
 */
export async function findSaid(
  ctx: Context,
  question: Question,
  query: string,
  limit: number,
): Promise<MessageMatch[]> {
  const { sessionId, channel } = question;
  const reader = { ...agentReader(ctx.orgId, question), sessionId };
  const filter = channel === null ? {} : { sessionId };
  const { matches } = await findMessages(ctx, reader, { query, filter, limit: limit + 1 });
  return matches.filter(({ message }) => message.id !== question.id).slice(0, limit);
}

/** The same for documents: files that every reader of the session may read. In a chat channel: only its own. */
export function documentReader(orgId: string, { sessionId, channel }: Question): DocumentReader {
  return { orgId, sessionId, isOverheard: channel !== null };
}

export async function findInDocuments(
  ctx: Context,
  question: Question,
  search: { query: string; limit: number; perDocument?: number; fileIds?: readonly string[] },
): Promise<FoundPassage[]> {
  const { fileIds, ...rest } = search;
  const reader = documentReader(ctx.orgId, question);
  const { passages } = await findPassages(ctx, reader, { ...rest, filter: { fileIds } });
  return passages;
}

/**
 * From the precision and recall that `npm run bench -- recall` prints. Of matches above the first, half answer
 * the question. Nine of ten questions that nothing answers have no match above the second, and eight of ten
 * others have an answer there.
 */
export const SURE_SCORE = 0.25;
const LEAST_SCORE = 0.02;

/** Whether a match is likely enough to be quoted, or to be read by a model. */
export function isWorthReading({ score }: { score: number }): boolean {
  return score >= LEAST_SCORE;
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
