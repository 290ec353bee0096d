import { requireProject } from '../../../access/project.ts';
import type { Context } from '../../../core/context.ts';
import { NOT_ENCODED, type EncodedQuery } from '../../../adapters/embeddings/text-encoder.ts';
import { readQuery } from '../../../text/words/terms.ts';
import { toMemory, type Memory } from '../record.ts';
import type { SearchMemories } from '../schema.ts';
import { HEAD_DIMENSIONS, vectorText } from '../search-form.ts';
import { findProjectStanding } from '../store.ts';
import { readerOf, type Reader } from '../visibility.ts';
import { findCandidates, raritiesOf } from './candidates.ts';
import { RERANKED, round, type Scores } from './ranking.ts';
import { rerankTexts, type RerankedQuery } from './rerank.ts';
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
  const read = readQuery(query);
  const search = { query: read, filter, model, tokenModel, limit: Math.max(RERANKED, limit) };
  const encoding = encodeQuery(ctx, query);
  const [encoded, { matches, terms, among }, project] = await Promise.all([
    encoding,
    findCandidates(
      ctx.db,
      reader,
      search,
      encoding.then((done) => queryVectorOf(ctx, done)),
    ),
    projectId === undefined ? undefined : findProjectStanding(ctx.db, reader, projectId),
  ]);
  if (projectId !== undefined) requireProject(project);
  const weights = wordWeights(encoded, read, raritiesOf(terms, 'term'));
  const found = await rank(ctx, matches, { text: query, encoded, weights, among });
  return {
    found: found.filter(({ score }) => score >= threshold).slice(0, limit),
    degraded: encoded.vector === null,
  };
}

/** Nothing if the model is overloaded or fails: then only words are searched. */
export async function encodeQuery(ctx: Context, query: string): Promise<EncodedQuery> {
  try {
    const isReranked = ctx.reranker.kind === 'local';
    return await ctx.encoder.encodeQuery(query, { orgId: ctx.orgId, isReranked });
  } catch (error) {
    ctx.log.warn({ err: error }, 'could not encode a query; searching by words only');
    return NOT_ENCODED;
  }
}

export function queryVectorOf(ctx: Context, { vector }: EncodedQuery): QueryVector | undefined {
  if (!vector) return undefined;
  return {
    head: vectorText(vector, HEAD_DIMENSIONS),
    whole: ctx.encoder.dimensions > HEAD_DIMENSIONS ? vectorText(vector) : undefined,
  };
}

/** Best first. */
async function rank(
  ctx: Context,
  matches: readonly Match[],
  query: RerankedQuery,
): Promise<RankedMemory[]> {
  const texts = matches.map(({ content, tokenVectors, vector, lexical }) => ({
    text: content,
    tokens: tokenVectors,
    vector,
    lexical,
  }));
  const reranked = await rerankTexts(ctx, query, texts);
  return reranked
    .map(({ scores, score }, at) => ({
      memory: toMemory(ctx.encoder, matches[at] as Match),
      scores,
      score,
    }))
    .toSorted((a, b) => b.score - a.score)
    .map((match) => ({ ...match, score: round(match.score) }));
}
