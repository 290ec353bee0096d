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
import { isInPart, listFiles, showFiles, waitForTexts, type WaitLimits } from './files.ts';
import { readImages } from './images.ts';
import { findInDocuments, findMemories, isWorthReading, queryOf } from './sources.ts';
import { newestMessages, overflowEnd, READ_FOR_WINDOW } from './window.ts';

const THREAD_MESSAGES = 60;
const MEMORIES = 8;
const MESSAGES_ELSEWHERE = 5;
const PASSAGES = 6;
/** Texts of files in so many of the latest messages are waited for, and so are those of the thread. */
const AWAITED_MESSAGES = 5;

export interface CollectedPrompt extends BuiltPrompt {
  /** More was said than prompts have room for. */
  needsSummary: boolean;
  /** It names a file whose text is not all there. */
  lacksText: boolean;
}

/** The second stop: reads what every reader of the session may read, and nothing else. */
export async function collectPrompt(
  ctx: Context,
  question: Question,
  answerer: Pick<Answerer, 'slug' | 'instructions'>,
  { hasVision, ...limits }: WaitLimits & { hasVision: boolean },
): Promise<CollectedPrompt> {
  const query = queryOf(question.body);
  const window = { limit: READ_FOR_WINDOW, longest: LONGEST_MESSAGE };
  const wholeThread = { limit: THREAD_MESSAGES, longest: LONGEST_MESSAGE };
  const [read, thread, memories, said, found, latest] = await Promise.all([
    listSpokenBefore(ctx, question, window),
    question.parentMessageId === null ? [] : listThreadBefore(ctx, question, wholeThread),
    query === '' ? [] : findMemories(ctx, question, query, MEMORIES),
    query === '' ? [] : findElsewhere(ctx, question, query, 'anybody'),
    query === '' ? [] : findInDocuments(ctx, question, { query, limit: PASSAGES }),
    findSummary(ctx.db, ctx.orgId, question.sessionId),
  ]);
  // A reply that is retried late may be older than the end of the summary.
  const summary = latest && latest.untilPosition < question.position ? latest : undefined;
  const spoken = read.filter(({ position }) => position > (summary?.untilPosition ?? 0));
  const recent = newestMessages(spoken);
  const newestFirst = [...thread.toReversed(), ...recent.toReversed()].map(({ id }) => id);
  const awaited = [...thread, ...recent.slice(-AWAITED_MESSAGES)].map(({ id }) => id);
  await waitForTexts(ctx, question, [question.id, ...awaited], limits);
  const files = await listFiles(ctx, question, [question.id, ...new Set(newestFirst)]);
  const [shown, images] = await Promise.all([
    showFiles(ctx, question, files, query),
    hasVision ? readImages(ctx, files, limits.signal) : [],
  ]);
  const attached = new Set(shown.map(({ file }) => file.id));
  const parts = {
    answerer,
    question,
    thread,
    memories: memories.filter(isWorthReading),
    elsewhere: said.filter(isWorthReading).slice(0, MESSAGES_ELSEWHERE),
    summary: summary?.text,
    files,
    shown,
    images,
    documents: found
      .filter(isWorthReading)
      .filter(({ document }) => !attached.has(document.fileId)),
    recent,
  };
  return {
    ...buildPrompt(parts),
    needsSummary: overflowEnd(spoken) !== undefined,
    lacksText: shown.some(isInPart) || parts.documents.length > 0,
  };
}
