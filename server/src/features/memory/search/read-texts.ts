import { inTurns, type Steps } from '../../../text/words/in-turns.ts';
import type { Language } from '../../../text/words/languages.ts';
import { rarityOf } from '../../../text/words/lexical.ts';
import { PIECE_CHARACTERS, piecesOf, type Piece } from '../../../text/words/pieces.ts';
import { queryTermsOf, termsOf } from '../../../text/words/terms.ts';

/** How a text relates to a query. */
export interface ReadText {
  /** How often each term of the query occurs in it. */
  counts: Map<string, number>;
  /** The number of all its terms. */
  length: number;
  pieces: { piece: Piece; terms: Set<string> }[];
}

/** Looks for the terms of a query, in steps of one piece or several short texts. */
export function* readTexts(
  texts: readonly string[],
  wanted: ReadonlySet<string>,
  language: Language = 'en',
): Steps<ReadText[]> {
  const all: ReadText[] = [];
  let characters = 0;
  for (const text of texts) {
    const read: ReadText = { counts: new Map(), length: 0, pieces: [] };
    for (const piece of piecesOf(text)) {
      if (characters + piece.text.length > PIECE_CHARACTERS) {
        yield;
        characters = 0;
      }
      characters += piece.text.length;
      addPiece(read, piece, wanted, language);
    }
    all.push(read);
  }
  return all;
}

function addPiece(
  read: ReadText,
  piece: Piece,
  wanted: ReadonlySet<string>,
  language: Language,
): void {
  const found = new Set<string>();
  const terms = termsOf(piece.text, language);
  for (const term of terms) {
    if (!wanted.has(term)) continue;
    found.add(term);
    read.counts.set(term, (read.counts.get(term) ?? 0) + 1);
  }
  read.length += terms.length;
  read.pieces.push({ piece, terms: found });
}

/** The piece with most of the query's terms, weighted by rarity. The first if no piece has any. */
export function bestPiece(
  { pieces }: Pick<ReadText, 'pieces'>,
  rarities: ReadonlyMap<string, number>,
): Piece {
  let best: { piece: Piece; mark: number } | undefined;
  for (const { piece, terms } of pieces) {
    let mark = 0;
    for (const term of terms) mark += rarities.get(term) ?? 0;
    if (!best || mark > best.mark) best = { piece, mark };
  }
  return best?.piece ?? { text: '', isFirst: true, isLast: true };
}

/** The piece of a text that matches the query best. */
export async function findPiece(orgId: string, text: string, query: string): Promise<Piece> {
  const wanted = queryTermsOf(query);
  const [read] = await inTurns(orgId, readTexts([text], new Set(wanted)));
  const pieces = read?.pieces ?? [];
  const having = (term: string) => pieces.filter(({ terms }) => terms.has(term)).length;
  const rarities = wanted.map((term) => [term, rarityOf(having(term), pieces.length)] as const);
  return bestPiece({ pieces }, new Map(rarities));
}
