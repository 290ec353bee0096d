import type { Context } from '../../../core/context.ts';
import { inTurns } from '../../../text/words/in-turns.ts';
import { rarityOf, weightOf } from '../../../text/words/lexical.ts';
import type { Piece } from '../../../text/words/pieces.ts';
import { languageOfText, queryTermsOf } from '../../../text/words/terms.ts';
import { bestPiece, readTexts, type ReadText } from './read-texts.ts';
import { round, type Scores } from './ranking.ts';
import { rerankTexts } from './rerank.ts';
import { wordWeights } from './word-weights.ts';

export interface RankedText {
  /** Its index in the input. */
  at: number;
  /** The best matching part. For a short text, all of it. */
  piece: Piece;
  score: number;
  scores: Scores;
}

/** How many texts the model encodes, chosen by their words. */
const READ_BY_MODEL = 24;

/**
 * Ranks texts that are not memories, with scores that are comparable to those of a search. The texts come
 * page by page and are read piece by piece. They were chosen among this many.
 */
export async function rankTexts(
  ctx: Pick<Context, 'encoder' | 'reranker' | 'orgId'>,
  query: string,
  pages: AsyncIterable<readonly string[]>,
  among: number,
): Promise<RankedText[]> {
  const { encoder, orgId } = ctx;
  const language = languageOfText(query);
  const wanted = queryTermsOf(query, language);
  const texts: ReadText[] = [];
  for await (const page of pages) {
    texts.push(...(await inTurns(orgId, readTexts(page, new Set(wanted), language))));
  }
  const marks = lexicalMarks(wanted, texts);
  const chosen = marks.best.slice(0, READ_BY_MODEL);
  const [encodedQuery, encoded] = await Promise.all([
    encoder.encodeQuery(query, { orgId }),
    encoder.encode(
      chosen.map(({ piece }) => piece.text),
      { orgId },
    ),
  ]);
  const weights = wordWeights(encodedQuery, { language }, marks.rarities);
  const reranked = await rerankTexts(
    ctx,
    { text: query, encoded: encodedQuery, weights, among },
    chosen.map(({ piece, lexical }, index) => ({
      text: piece.text,
      tokens: encoded[index]?.tokens ?? null,
      vector: cosine(encodedQuery.vector, encoded[index]?.vector ?? null),
      lexical,
    })),
  );
  const ranked = chosen.flatMap(({ at, piece }, index) => {
    const marked = reranked[index];
    return marked ? { at, piece, ...marked } : [];
  });
  return ranked.toSorted((a, b) => b.score - a.score);
}

function lexicalMarks(wanted: readonly string[], texts: readonly ReadText[]) {
  const rarities = new Map<string, number>();
  for (const term of wanted) {
    const having = texts.filter(({ counts }) => counts.has(term)).length;
    rarities.set(term, rarityOf(having, texts.length));
  }
  const whole = [...rarities.values()].reduce((sum, rarity) => sum + rarity, 0) || 1;
  const marks = texts.map((text, at) => {
    let sum = 0;
    for (const [term, count] of text.counts) {
      sum += (rarities.get(term) ?? 0) * weightOf(count, text.length);
    }
    return { at, piece: bestPiece(text, rarities), lexical: Math.min(1, sum / whole) };
  });
  // Texts that share no word with the query come last, in their original order.
  return { rarities, best: marks.toSorted((a, b) => b.lexical - a.lexical) };
}

function cosine(a: Float32Array | null, b: Float32Array | null): number | null {
  if (!a || !b) return null;
  return round(a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0));
}
