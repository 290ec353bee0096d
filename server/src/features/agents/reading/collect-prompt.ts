import type { Context } from '../../../core/context.ts';
import {
  listSpokenBefore,
  listThreadBefore,
  type Question,
} from '../../messages/replies/service.ts';
import { findSummary } from '../../sessions/summaries/service.ts';
import { LONGEST_MESSAGE } from './as-data.ts';
import { buildPrompt, type BuiltPrompt } from './prompt.ts';
import type { Answerer } from '../answering/answerer.ts';
import { findElsewhere } from './elsewhere.ts';
import { findMemories, isWorthReading, queryOf } from './sources.ts';
import { newestMessages, overflowEnd, READ_FOR_WINDOW } from './window.ts';

const THREAD_MESSAGES = 60;
const MEMORIES = 8;
const MESSAGES_ELSEWHERE = 5;

export interface CollectedPrompt extends BuiltPrompt {
  /** More was said than prompts have room for. */
  needsSummary: boolean;
}

/** The second stop: reads what every reader of the session may read, and nothing else. */
export async function collectPrompt(
  ctx: Context,
  question: Question,
  answerer: Pick<Answerer, 'slug' | 'instructions'>,
): Promise<CollectedPrompt> {
  const query = queryOf(question.body);
  const window = { limit: READ_FOR_WINDOW, longest: LONGEST_MESSAGE };
  const wholeThread = { limit: THREAD_MESSAGES, longest: LONGEST_MESSAGE };
  const [read, thread, memories, said, latest] = await Promise.all([
    listSpokenBefore(ctx, question, window),
    question.parentMessageId === null ? [] : listThreadBefore(ctx, question, wholeThread),
    query === '' ? [] : findMemories(ctx, question, query, MEMORIES),
    query === '' ? [] : findElsewhere(ctx, question, query, 'anybody'),
    findSummary(ctx.db, ctx.orgId, question.sessionId),
  ]);
  // A reply that is retried late may be older than the end of the summary.
  const summary = latest && latest.untilPosition < question.position ? latest : undefined;
  const spoken = read.filter(({ position }) => position > (summary?.untilPosition ?? 0));
  const parts = {
    answerer,
    question,
    thread,
    memories: memories.filter(isWorthReading),
    elsewhere: said.filter(isWorthReading).slice(0, MESSAGES_ELSEWHERE),
    summary: summary?.text,
  };
  return {
    ...buildPrompt({ ...parts, recent: newestMessages(spoken) }),
    needsSummary: overflowEnd(spoken) !== undefined,
  };
}
