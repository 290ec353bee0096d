import type { Context } from '../../../core/context.ts';
import { createFairTurns } from '../../../core/fair-turns.ts';
import { pagesOf } from '../../../lists/page-bytes.ts';
import { escapeMarkdown, plainText } from '../../../text/plain-text.ts';
import type { Piece } from '../../../text/words/pieces.ts';
import { findPiece, rankTexts, type RankedMemory } from '../../memory/service.ts';
import {
  listAnswered,
  listSpokenHeads,
  readBodies,
  type Citation,
  type NewReply,
  type Question,
  type SpokenHead,
} from '../../messages/replies/service.ts';
import type { FoundPassage } from '../../documents/service.ts';
import { findElsewhere, type Said } from '../reading/elsewhere.ts';
import { waitForTexts, type WaitLimits } from '../reading/files.ts';
import { bestPassage } from '../reading/passage.ts';
import {
  findInDocuments,
  findMemories,
  isWorthReading,
  queryOf,
  SURE_SCORE,
} from '../reading/sources.ts';
import { countSaid, findNames } from '../store.ts';

/** How far back in the session it reads, unless there are too many long messages. */
const MESSAGES_READ = 400;
const MOST_QUOTES = 5;
/** The texts of files in so many of the latest messages are waited for. */
const AWAITED_MESSAGES = 5;
/** Of many copies of one text, no more than these are read to find others. */
const MOST_COMPARED = 20;
/** Matches far behind the best one are left out. */
const LEAST_SHARE_OF_BEST = 0.4;

interface Quote {
  score: number;
  /** The matching part of a message, or a whole memory. */
  source: Piece | string;
  by: string;
  /** Null for documents, which have a page instead. */
  createdAt: Date | null;
  sourceUrl: string | null;
  citation: Citation | null;
}

type RecallAnswer = Pick<NewReply, 'body' | 'citations'>;

/** Quotes the best matches in the Project's sessions, and in the memory and the files that everyone here may read. */
export async function answerFromRecall(
  ctx: Context,
  question: Question,
  limits: WaitLimits,
): Promise<RecallAnswer> {
  const query = queryOf(question.body);
  if (query === '') return { body: NO_QUESTION, citations: [] };
  await waitForTexts(ctx, question, await latestMessages(ctx, question), limits);
  const [memories, spoken, elsewhere, passages] = await Promise.all([
    findMemories(ctx, question, query, MOST_QUOTES),
    findSpoken(ctx, question, query),
    findElsewhere(ctx, question, query, 'people'),
    findInDocuments(ctx, question, { query, limit: MOST_QUOTES }),
  ]);
  const remembered = await quoteMemories(ctx, memories);
  const matches = choose([
    ...remembered,
    ...spoken,
    ...elsewhere.map(quoteSaid),
    ...passages.map(quotePassage),
  ]);
  const quotes = await pickDistinct(matches, (quote) => findPassage(ctx, quote, query));
  if (quotes.length === 0) return { body: NOTHING_FOUND, citations: [] };
  const citations = quotes.flatMap(({ citation }) => citation ?? []);
  const shown = quotes.map((quote) => show(quote, citations));
  const isSure = (quotes[0]?.score ?? 0) >= SURE_SCORE;
  return { body: [isSure ? FOUND : CLOSEST, ...shown].join('\n\n'), citations };
}

const FOUND = 'Here is what I found:';
const CLOSEST = 'I’m not sure that this answers it. The closest I found:';
const NO_QUESTION =
  'Ask me something after the mention, such as `@recall what did we decide about pricing?`.';
const NOTHING_FOUND =
  "I found nothing about this in this Project's sessions, or in the memory of this Project and the organisation. Write it here or save it as a memory, and I will find it next time. I never read PRIVATE memories or private sessions other than this one.";

async function quoteMemories(ctx: Context, found: readonly RankedMemory[]): Promise<Quote[]> {
  const owners = found.flatMap(({ memory }) => memory.ownerUserId ?? []);
  const names = await findNames(ctx, owners);
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

/** What people said in this session, except questions to agents. An agent's answer is not evidence. */
async function findSpoken(ctx: Context, question: Question, query: string): Promise<Quote[]> {
  const before = await listSpokenHeads(ctx, question, MESSAGES_READ);
  const ids = before.map(({ id }) => id);
  const asked = new Set(await listAnswered(ctx, ids));
  const pages = pagesOf(before.filter((head) => !asked.has(head.id) && head.authorKind === 'USER'));
  const said = pages.flat();
  const among = await countSaid(ctx, question);
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

/** With its heading, which often says what the passage is about. */
function quotePassage({ document, passage, score }: FoundPassage): Quote {
  const { page, heading, text } = passage;
  const under = heading === null ? '' : `, under “${heading}”`;
  return {
    score,
    source: text.replaceAll(/^#{1,6}\s+.*$/gm, '').trim() || text,
    by: escapeMarkdown(`“${document.title}”, page ${page}${under}`),
    createdAt: null,
    sourceUrl: null,
    citation: { documentId: document.id, page },
  };
}

/** The question and what was said just before it, whose files may still be read. */
async function latestMessages(ctx: Context, question: Question): Promise<string[]> {
  const before = await listSpokenHeads(ctx, question, AWAITED_MESSAGES);
  return [question.id, ...before.map(({ id }) => id)];
}

/** One page at a time, and one quote: the embedded database and the event loop serve others in between. */
const turns = createFairTurns();

/** A message that was deleted meanwhile has an empty body. */
async function* bodiesOf(ctx: Context, pages: readonly SpokenHead[][]): AsyncGenerator<string[]> {
  for (const page of pages) {
    const ids = page.map(({ id }) => id);
    const bodies = await turns.take(ctx.orgId, () => readBodies(ctx, ids));
    yield ids.map((id) => bodies.get(id) ?? '');
  }
}

function choose(quotes: readonly Quote[]): Quote[] {
  const ordered = quotes.filter(isWorthReading).toSorted((a, b) => b.score - a.score);
  const best = ordered[0]?.score ?? 0;
  return ordered.filter(({ score }) => score >= best * LEAST_SHARE_OF_BEST);
}

interface ShownQuote extends Quote {
  passage: string;
}

/** The best ones that say different things: a message, and the memory made from it, are one source. */
async function pickDistinct(
  quotes: readonly Quote[],
  findText: (quote: Quote) => Promise<string>,
): Promise<ShownQuote[]> {
  const picked: ShownQuote[] = [];
  for (const quote of quotes.slice(0, MOST_COMPARED)) {
    if (picked.length === MOST_QUOTES) break;
    const passage = await findText(quote);
    const isSaid = picked.some((other) => isSame(other.passage, passage));
    if (passage !== '' && !isSaid) picked.push({ ...quote, passage });
  }
  return picked;
}

/** The same words, or a part of them. */
function isSame(one: string, other: string): boolean {
  const [longer, shorter] = [wordsOf(one), wordsOf(other)].toSorted((a, b) => b.length - a.length);
  return longer?.includes(shorter ?? '') === true;
}

function wordsOf(passage: string): string {
  const words = passage.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return ` ${words.join(' ')} `;
}

async function findPassage(
  ctx: Context,
  { source, citation }: Quote,
  query: string,
): Promise<string> {
  const piece = typeof source === 'string' ? await findPiece(ctx.orgId, source, query) : source;
  // What people wrote is Markdown. A passage is plain text.
  const isPassage = citation !== null && 'documentId' in citation;
  const plain = isPassage ? piece : { ...piece, text: plainText(piece.text) };
  return turns.take(ctx.orgId, () => bestPassage(plain, query));
}

function show(quote: ShownQuote, citations: readonly Citation[]): string {
  const { passage, by, createdAt, sourceUrl, citation } = quote;
  const link = sourceUrl === null ? '' : ` · <${sourceUrl}>`;
  // The number leads to the other session, or to the page.
  const isElsewhere = citation !== null && !('memoryId' in citation);
  const mark = isElsewhere ? ` [${citations.indexOf(citation) + 1}]` : '';
  const at = createdAt === null ? '' : `, ${timeOf(createdAt)}`;
  return `> ${escapeMarkdown(passage)}\n>\n> — ${by}${at}${link}${mark}`;
}

/** With its zone, because readers are in several. The web app shows it as the reader's own date. */
function timeOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
