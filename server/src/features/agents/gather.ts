import type { Context } from '../../context.ts';
import { listSpokenBefore, listThreadBefore, type Question } from '../messages/replies/service.ts';
import { buildPrompt, type BuiltPrompt } from './prompt.ts';
import type { Answerer } from './answerer.ts';
import { findMemories, queryOf } from './sources.ts';

const RECENT_MESSAGES = 60;
const THREAD_MESSAGES = 60;
const MEMORIES = 8;

/** The second stop: reads what every reader of the session may read, and nothing else. */
export async function gatherPrompt(
  ctx: Context,
  question: Question,
  { slug, instructions }: Pick<Answerer, 'slug' | 'instructions'>,
): Promise<BuiltPrompt> {
  const query = queryOf(question.body);
  const [recent, thread, memories] = await Promise.all([
    listSpokenBefore(ctx.db, ctx.orgId, question, RECENT_MESSAGES),
    question.parentMessageId === null
      ? []
      : listThreadBefore(ctx.db, ctx.orgId, question, THREAD_MESSAGES),
    query === '' ? [] : findMemories(ctx, question, query, MEMORIES),
  ]);
  return buildPrompt({ agentSlug: slug, instructions, question, recent, thread, memories });
}
