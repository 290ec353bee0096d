import type { Context } from '../../../core/context.ts';
import type { Piece } from '../../../text/words/pieces.ts';
import { rankTexts } from '../../memory/service.ts';
import { listAnswered, type Question } from '../../messages/replies/service.ts';
import type { MessageMatch } from '../../messages/search/service.ts';
import { RECALL } from '../answering/answerer.ts';
import { findSaid } from './sources.ts';
import { countSaid } from '../store.ts';

/** A message of another session, and its part that matches the question best. */
export interface Said {
  message: MessageMatch['message'];
  piece: Piece;
  /** Comparable to that of a memory. */
  score: number;
}

/** How many the search returns, with those of this session, and how many of the rest the model reads. */
const FOUND = 40;
const READ = 12;

/**
 * What was said in other sessions that everyone who reads this one may read, best first. Questions to agents
 * and recall's replies are left out: neither adds an answer. `by` can leave out all that agents wrote.
 */
export async function findElsewhere(
  ctx: Context,
  question: Question,
  query: string,
  by: 'people' | 'anybody',
): Promise<Said[]> {
  const found = await findSaid(ctx, question, query, FOUND);
  const others = found
    .map(({ message }) => message)
    .filter(({ session }) => session.id !== question.sessionId)
    .filter(({ agentSlug }) => agentSlug === null || (by === 'anybody' && agentSlug !== RECALL));
  const ids = others.map(({ id }) => id);
  const asked = new Set(await listAnswered(ctx, ids));
  const messages = others.filter(({ id }) => !asked.has(id)).slice(0, READ);
  if (messages.length === 0) return [];
  const ranked = await rankTexts(
    ctx,
    query,
    onePage(messages.map(({ body }) => body)),
    await countSaid(ctx, question),
  );
  return ranked.flatMap(({ at, piece, score }) => {
    const message = messages[at];
    return message ? { message, piece, score } : [];
  });
}

async function* onePage(texts: string[]): AsyncGenerator<string[]> {
  yield texts;
}
