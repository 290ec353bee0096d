import { requireProject } from '../../../access/project.ts';
import type { Context, UserContext } from '../../../core/context.ts';
import { requireFound } from '../../../core/errors.ts';
import { inTurns } from '../../../text/words/in-turns.ts';
import { readQuery } from '../../../text/words/terms.ts';
import {
  encodeQuery,
  queryVectorOf,
  raritiesOf,
  RERANKED,
  rerankTexts,
  wordWeights,
} from '../../memory/service.ts';
import { readerOf, type DocumentReader } from '../reader.ts';
import type { SearchDocuments } from '../schema.ts';
import { findFileTexts, findProjectStanding, type DocumentRow } from '../store.ts';
import { findCandidates } from './candidates.ts';
import { highlightAll, type Highlight } from './highlight.ts';
import type { DocumentFilter, PassageMatch } from './store.ts';

export interface FoundPassage {
  document: DocumentRow;
  passage: Pick<PassageMatch, 'text' | 'page' | 'heading' | 'start' | 'end'>;
  score: number;
}

export interface DocumentMatch extends FoundPassage {
  highlights: Highlight[];
}

export interface DocumentSearchResult {
  found: DocumentMatch[];
  /** True if the query has no vector and only words were compared. */
  degraded: boolean;
}

/** How many of one document a search shows. */
const PER_DOCUMENT = 3;
/** How many of one document are re-ranked, so that a long one leaves room for others. */
const RERANKED_PER_DOCUMENT = 12;

export async function searchDocuments(
  ctx: UserContext,
  { query, limit, projectId, fileId, sourceId }: SearchDocuments,
): Promise<DocumentSearchResult> {
  const filter = { projectId, sourceId, fileIds: fileId === undefined ? undefined : [fileId] };
  const [{ passages, degraded }] = await Promise.all([
    findPassages(ctx, readerOf(ctx), { query, filter, limit }),
    requirePlace(ctx, { projectId, fileId }),
  ]);
  const texts = passages.map(({ passage: { text }, document: { language } }) => ({
    text,
    language,
  }));
  const highlights = await inTurns(ctx.orgId, highlightAll(readQuery(query), texts));
  return {
    found: passages.map((found, at) => ({ ...found, highlights: highlights[at] ?? [] })),
    degraded,
  };
}

/** 404 and 403 for a Project or file that the caller filters by, as everywhere else. */
export async function requirePlace(
  ctx: UserContext,
  { projectId, fileId }: Pick<SearchDocuments, 'projectId' | 'fileId'>,
): Promise<void> {
  const [project, files] = await Promise.all([
    projectId === undefined ? undefined : findProjectStanding(ctx, projectId),
    fileId === undefined ? undefined : findFileTexts(ctx.db, readerOf(ctx), [fileId]),
  ]);
  if (projectId !== undefined) requireProject(project);
  if (files) requireFound(files[0], 'This file');
}

export interface PassageSearch {
  query: string;
  filter: DocumentFilter;
  limit: number;
  /** How many of one document; default: three. */
  perDocument?: number;
  /** For tests and benchmarks: above this many passages the indexes are used. */
  few?: number;
}

/** Best first. For people, and for agents, which have a reader of their own. */
export async function findPassages(
  ctx: Context,
  reader: DocumentReader,
  { query, filter, limit, perDocument = PER_DOCUMENT, few }: PassageSearch,
): Promise<{ passages: FoundPassage[]; degraded: boolean }> {
  const { model, tokenModel } = ctx.encoder;
  const read = readQuery(query);
  const search = {
    query: read,
    filter,
    model,
    tokenModel,
    limit: Math.max(RERANKED, limit),
    perDocument: Math.max(RERANKED_PER_DOCUMENT, perDocument),
    few,
  };
  const encoding = encodeQuery(ctx, query);
  const [encoded, { matches, terms, among }] = await Promise.all([
    encoding,
    findCandidates(
      ctx.db,
      reader,
      search,
      encoding.then((done) => queryVectorOf(ctx, done)),
    ),
  ]);
  const weights = wordWeights(encoded, read, raritiesOf(terms, 'term'));
  const texts = matches.map(({ text, tokenVectors: tokens, vector, lexical }) => ({
    text,
    tokens,
    vector,
    lexical,
  }));
  const reranked = await rerankTexts(ctx, { text: query, encoded, weights, among }, texts);
  const best = matches
    .map((match, at) => ({ match, score: reranked[at]?.score ?? 0 }))
    .toSorted((a, b) => b.score - a.score);
  return {
    passages: firstOfEach(best, perDocument).slice(0, limit).map(presentable),
    degraded: encoded.vector === null,
  };
}

/** Passages overlap, so of two that share most of their text only the better one is shown. */
function firstOfEach<M extends { match: PassageMatch }>(best: readonly M[], most: number): M[] {
  const shown = new Map<string, PassageMatch[]>();
  return best.filter(({ match }) => {
    const others = shown.get(match.document.id) ?? [];
    if (others.length >= most || others.some((other) => overlap(match, other))) return false;
    shown.set(match.document.id, [...others, match]);
    return true;
  });
}

function overlap(one: PassageMatch, other: PassageMatch): boolean {
  if (one.page !== other.page) return false;
  const shared = Math.min(one.end, other.end) - Math.max(one.start, other.start);
  return shared > Math.min(one.end - one.start, other.end - other.start) / 2;
}

function presentable({ match, score }: { match: PassageMatch; score: number }): FoundPassage {
  const { document, text, page, heading, start, end } = match;
  return { document, passage: { text, page, heading, start, end }, score };
}
