import type { Context } from '../../context.ts';
import { rankTexts, type Found } from '../memory/service.ts';
import {
  listAnswered,
  listSpokenBefore,
  type Question,
  type SpokenMessage,
} from '../messages/replies/service.ts';
import { bestPassage } from './passage.ts';
import { findMemories, queryOf } from './sources.ts';
import { findNames } from './store.ts';

/** The agent that is always there: no model, no key, no price. */
export const RECALL = 'recall';

/** How far back in the session it reads. */
const MESSAGES_READ = 400;
const MOST_QUOTES = 5;
/** So good a match is quoted whatever else there is; a lesser one has to stand out from the fifth best.
 * Chosen on LoCoMo's development half and a small team's notes, with questions that they do not answer too. */
const GOOD_SCORE = 0.5;
const LEAST_SCORE = 0.42;
const STANDING_OUT = 1.4;
/** What is far behind the best is left out. */
const LEAST_SHARE_OF_BEST = 0.75;

interface Quote {
  score: number;
  text: string;
  by: string;
  createdAt: Date;
  sourceUrl: string | null;
  memoryId: string | null;
}

export interface RecallAnswer {
  body: string;
  citations: { memoryId: string }[];
}

/** Answers by quoting what fits best in the session and in the memory that everybody here may read. */
export async function answerFromRecall(ctx: Context, question: Question): Promise<RecallAnswer> {
  const query = queryOf(question.body);
  if (query === '') return { body: NO_QUESTION, citations: [] };
  const [memories, spoken] = await Promise.all([
    findMemories(ctx, question, query, MOST_QUOTES),
    findSpoken(ctx, question, query),
  ]);
  const quotes = choose([...(await quoteMemories(ctx, memories)), ...spoken]);
  if (quotes.length === 0) return { body: NOTHING_FOUND, citations: [] };
  const citations = quotes.flatMap(({ memoryId }) => (memoryId === null ? [] : [{ memoryId }]));
  return { body: [FOUND, ...quotes.map((quote) => show(quote, query))].join('\n\n'), citations };
}

const FOUND = 'Here is what I found:';
const NO_QUESTION =
  'Ask me something after the mention, such as `@recall what did we decide about pricing?`.';
const NOTHING_FOUND =
  "I found nothing about this, neither in this session nor in the memory I may read here: the org's and this Project's. What people keep PRIVATE I never read.";

async function quoteMemories(ctx: Context, found: readonly Found[]): Promise<Quote[]> {
  const owners = found.flatMap(({ memory }) => memory.ownerUserId ?? []);
  const names = await findNames(ctx.db, ctx.orgId, owners);
  return found.map(({ memory, score }) => ({
    score,
    text: memory.content,
    by: ownerOf(names, memory.ownerUserId),
    createdAt: memory.createdAt,
    sourceUrl: memory.sourceUrl,
    memoryId: memory.id,
  }));
}

function ownerOf(names: ReadonlyMap<string, string>, ownerUserId: string | null): string {
  const name = ownerUserId === null ? undefined : names.get(ownerUserId);
  return name === undefined ? 'memory' : `memory of ${name}`;
}

/** What was said here. Questions to agents hold no answers, and quoting its own quotes is no news. */
async function findSpoken(ctx: Context, question: Question, query: string): Promise<Quote[]> {
  const before = await listSpokenBefore(ctx.db, ctx.orgId, question, MESSAGES_READ);
  const ids = before.map(({ id }) => id);
  const asked = new Set(await listAnswered(ctx.db, ctx.orgId, ids));
  const said = before.filter((message) => !asked.has(message.id) && !isRecall(message));
  const ranked = await rankTexts(
    ctx.encoder,
    query,
    said.map(({ body }) => body),
  );
  return ranked.flatMap(({ at, score }) => {
    const message = said[at];
    if (!message) return [];
    const { author, body, createdAt } = message;
    return {
      score,
      text: body,
      by: `${author}, in this session`,
      createdAt,
      sourceUrl: null,
      memoryId: null,
    };
  });
}

function isRecall({ authorKind, author }: SpokenMessage): boolean {
  return authorKind === 'AGENT' && author === RECALL;
}

function choose(quotes: readonly Quote[]): Quote[] {
  const ordered = quotes.toSorted((a, b) => b.score - a.score);
  const best = ordered[0]?.score ?? 0;
  const usual = ordered[MOST_QUOTES - 1]?.score ?? 0;
  if (best < GOOD_SCORE && (best < LEAST_SCORE || best < STANDING_OUT * usual)) return [];
  return ordered.filter(({ score }) => score >= best * LEAST_SHARE_OF_BEST).slice(0, MOST_QUOTES);
}

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function show({ text, by, createdAt, sourceUrl }: Quote, query: string): string {
  const source = sourceUrl === null ? '' : ` · <${sourceUrl}>`;
  return `> ${bestPassage(text, query)}\n>\n> — ${by}, ${dates.format(createdAt)}${source}`;
}
