import type { Context } from '../../../core/context.ts';
import { createFairTurns } from '../../../core/fair-turns.ts';
import { pagesOf } from '../../../lists/page-bytes.ts';
import type { Piece } from '../../../text/words/pieces.ts';
import { findPiece, rankTexts, type RankedMemory } from '../../memory/service.ts';
import {
  listAnswered,
  listSpokenHeads,
  readBodies,
  type Citation,
  type Question,
  type SpokenHead,
} from '../../messages/replies/service.ts';
import { RECALL } from './answerer.ts';
import { findElsewhere, type Said } from '../reading/elsewhere.ts';
import { bestPassage } from '../reading/passage.ts';
import { findMemories, isWorthReading, queryOf, SURE_SCORE } from '../reading/sources.ts';
import { countSaid, findNames } from '../store.ts';

/** How far back in the session it reads, unless there are too many long messages. */
const MESSAGES_READ = 400;
const MOST_QUOTES = 5;
/** Matches far behind the best one are left out. */
const LEAST_SHARE_OF_BEST = 0.4;

interface Quote {
  score: number;
  /** The matching part of a message, or a whole memory. */
  source: Piece | string;
  by: string;
  createdAt: Date;
  sourceUrl: string | null;
  citation: Citation | null;
}

export interface RecallAnswer {
  body: string;
  citations: Citation[];
}

/** Quotes the best matches in the Project's sessions and in the memory that everyone here may read. */
export async function answerFromRecall(ctx: Context, question: Question): Promise<RecallAnswer> {
  const query = queryOf(question.body);
  if (query === '') return { body: NO_QUESTION, citations: [] };
  const [memories, spoken, elsewhere] = await Promise.all([
    findMemories(ctx, question, query, MOST_QUOTES),
    findSpoken(ctx, question, query),
    findElsewhere(ctx, question, query),
  ]);
  const remembered = await quoteMemories(ctx, memories);
  const quotes = choose([...remembered, ...spoken, ...elsewhere.map(quoteSaid)]);
  if (quotes.length === 0) return { body: NOTHING_FOUND, citations: [] };
  const citations = quotes.flatMap(({ citation }) => citation ?? []);
  const shown = await Promise.all(quotes.map((quote) => show(ctx, quote, query, citations)));
  const isSure = (quotes[0]?.score ?? 0) >= SURE_SCORE;
  return { body: [isSure ? FOUND : CLOSEST, ...shown].join('\n\n'), citations };
}

const FOUND = 'Here is what I found:';
const CLOSEST = 'I’m not sure that this answers it. The closest I found:';
const NO_QUESTION =
  'Ask me something after the mention, such as `@recall what did we decide about pricing?`.';
const NOTHING_FOUND =
  "I found nothing about this in this Project's sessions, or in the memory of this Project and the organisation. I never read PRIVATE memories or private sessions other than this one.";

async function quoteMemories(ctx: Context, found: readonly RankedMemory[]): Promise<Quote[]> {
  const owners = found.flatMap(({ memory }) => memory.ownerUserId ?? []);
  const names = await findNames(ctx.db, ctx.orgId, owners);
  return found.map(({ memory, score }) => ({
    score,
    source: memory.content,
    by: ownerOf(names, memory.ownerUserId),
    createdAt: memory.createdAt,
    sourceUrl: memory.sourceUrl,
    citation: { memoryId: memory.id },
  }));
}

function ownerOf(names: ReadonlyMap<string, string>, ownerUserId: string | null): string {
  const name = ownerUserId === null ? undefined : names.get(ownerUserId);
  return name === undefined ? 'memory' : `memory of ${name}`;
}

/** Messages of this session, except questions to agents and recall's own replies: neither adds an answer. */
async function findSpoken(ctx: Context, question: Question, query: string): Promise<Quote[]> {
  const before = await listSpokenHeads(ctx.db, ctx.orgId, question, MESSAGES_READ);
  const ids = before.map(({ id }) => id);
  const asked = new Set(await listAnswered(ctx.db, ctx.orgId, ids));
  const pages = pagesOf(before.filter((head) => !asked.has(head.id) && !isRecall(head)));
  const said = pages.flat();
  const among = await countSaid(ctx.db, ctx.orgId, question);
  const ranked = await rankTexts(ctx, query, bodiesOf(ctx, pages), among);
  return ranked.flatMap(({ at, piece, score }) => {
    const message = said[at];
    if (!message || piece.text === '') return [];
    const { author, createdAt } = message;
    return {
      score,
      source: piece,
      by: `${author}, in this session`,
      createdAt,
      sourceUrl: null,
      citation: null,
    };
  });
}

function quoteSaid({ message, piece, score }: Said): Quote {
  const { id, author, createdAt, session } = message;
  return {
    score,
    source: piece,
    by: `${author}, in “${session.title ?? session.name}”`,
    createdAt: new Date(createdAt),
    sourceUrl: null,
    citation: { messageId: id },
  };
}

/** One page at a time, and one quote: the embedded database and the event loop serve others in between. */
const turns = createFairTurns();

/** A message that was deleted meanwhile has an empty body. */
async function* bodiesOf(ctx: Context, pages: readonly SpokenHead[][]): AsyncGenerator<string[]> {
  for (const page of pages) {
    const ids = page.map(({ id }) => id);
    const bodies = await turns.take(ctx.orgId, () => readBodies(ctx.db, ctx.orgId, ids));
    yield ids.map((id) => bodies.get(id) ?? '');
  }
}

function isRecall({ authorKind, author }: SpokenHead): boolean {
  return authorKind === 'AGENT' && author === RECALL;
}

function choose(quotes: readonly Quote[]): Quote[] {
  const ordered = quotes.filter(isWorthReading).toSorted((a, b) => b.score - a.score);
  const best = ordered[0]?.score ?? 0;
  return ordered.filter(({ score }) => score >= best * LEAST_SHARE_OF_BEST).slice(0, MOST_QUOTES);
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

async function show(
  ctx: Context,
  quote: Quote,
  query: string,
  citations: readonly Citation[],
): Promise<string> {
  const { source, by, createdAt, sourceUrl, citation } = quote;
  const link = sourceUrl === null ? '' : ` · <${sourceUrl}>`;
  // The number leads to the other session.
  const mark = citation && 'messageId' in citation ? ` [${citations.indexOf(citation) + 1}]` : '';
  const piece = typeof source === 'string' ? await findPiece(ctx.orgId, source, query) : source;
  const passage = await turns.take(ctx.orgId, () => bestPassage(piece, query));
  return `> ${passage}\n>\n> — ${by}, ${dates.format(createdAt)}${link}${mark}`;
}
