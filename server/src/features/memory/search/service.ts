import type { Context } from '../../../context.ts';
import type { EncodedQuery } from '../../../adapters/embeddings/text-encoder.ts';
import { requireReadable } from '../policy.ts';
import { toMemory, type Memory } from '../record.ts';
import type { SearchMemories } from '../schema.ts';
import { HEAD_DIMENSIONS, vectorText } from '../search-form.ts';
import { findProjectStanding } from '../store.ts';
import { readerOf, type Reader } from '../visibility.ts';
import { findCandidates, type QueryTerm } from './candidates.ts';
import { RERANKED, round, scoreOf, type Scores } from './ranking.ts';
import type { Match, QueryVector } from './store.ts';
import { wordWeights } from './word-weights.ts';

export interface RankedMemory {
  memory: Memory;
  score: number;
  scores: Scores;
}

export interface SearchResult {
  found: RankedMemory[];
  /** True if the query has no vector and only words were compared. */
  degraded: boolean;
}

export async function searchMemories(
  ctx: Context,
  input: SearchMemories,
  reader: Reader = readerOf(ctx),
): Promise<SearchResult> {
  const { query, projectId, limit, threshold = 0, ...rest } = input;
  const { model, tokenModel } = ctx.encoder;
  const filter = { ...rest, projectId };
  const search = { text: query, filter, model, tokenModel, limit: Math.max(RERANKED, limit) };
  const encoding = encodeQuery(ctx, query);
  const [encoded, { matches, terms }, project] = await Promise.all([
    encoding,
    findCandidates(
      ctx.db,
      reader,
      search,
      encoding.then((done) => queryVectorOf(ctx, done)),
    ),
    projectId === undefined ? undefined : findProjectStanding(ctx.db, reader, projectId),
  ]);
  if (projectId !== undefined) requireReadable(project);
  const degraded = encoded?.vector == null;
  const found = await rerank(ctx, matches, encoded, terms, degraded);
  return {
    found: found.filter(({ score }) => score >= threshold).slice(0, limit),
    degraded,
  };
}

/** Undefined if the model is overloaded or fails: then only words are searched. */
async function encodeQuery(ctx: Context, query: string): Promise<EncodedQuery | undefined> {
  try {
    return await ctx.encoder.encodeQuery(query, { orgId: ctx.orgId });
  } catch (error) {
    ctx.log.warn({ err: error }, 'could not encode a query; searching by words only');
    return undefined;
  }
}

function queryVectorOf(ctx: Context, encoded: EncodedQuery | undefined): QueryVector | undefined {
  const vector = encoded?.vector;
  if (!vector) return undefined;
  return {
    head: vectorText(vector, HEAD_DIMENSIONS),
    whole: ctx.encoder.dimensions > HEAD_DIMENSIONS ? vectorText(vector) : undefined,
  };
}

/** The second ranking compares words in context, weighted by rarity. */
async function rerank(
  ctx: Context,
  matches: readonly Match[],
  encoded: EncodedQuery | undefined,
  terms: readonly QueryTerm[],
  degraded: boolean,
): Promise<RankedMemory[]> {
  const rerankScores = encoded?.tokens
    ? await ctx.encoder.rerank(
        encoded,
        wordWeights(encoded.words, new Map(terms.map(({ term, rarity }) => [term, rarity]))),
        matches.map(({ tokenVectors }) => tokenVectors),
        { orgId: ctx.orgId },
      )
    : [];
  return matches
    .map(({ vector, lexical, ...row }, at) => {
      const scores: Scores = {
        vector: vector === null ? null : round(vector),
        lexical: round(lexical),
        rerank: roundIfAny(rerankScores[at]),
      };
      return { memory: toMemory(ctx.encoder, row), scores, score: scoreOf(scores, degraded) };
    })
    .toSorted((a, b) => b.score - a.score);
}

function roundIfAny(score: number | null | undefined): number | null {
  return score == null ? null : round(score);
}
