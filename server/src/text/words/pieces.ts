/** Characters read in one step: a millisecond or two for any text, and one window of the model. */
export const PIECE_CHARACTERS = 1_000;
/** How far back to look for a space or punctuation mark to cut at. */
const LOOK_BACK = 100;

export interface Piece {
  text: string;
  isFirst: boolean;
  isLast: boolean;
}

/** Cuts a text into pieces, between words if possible. */
export function* piecesOf(text: string): Generator<Piece> {
  for (let from = 0; from === 0 || from < text.length;) {
    const to = pieceEnd(text, from);
    yield { text: text.slice(from, to), isFirst: from === 0, isLast: to === text.length };
    from = Math.max(to, 1);
  }
}

function pieceEnd(text: string, from: number): number {
  const most = from + PIECE_CHARACTERS;
  if (most >= text.length) return text.length;
  for (let end = most; end > most - LOOK_BACK; end--) {
    if (/[\s\p{P}]/u.test(text.charAt(end))) return end;
  }
  const isLowSurrogate = /[\udc00-\udfff]/.test(text.charAt(most));
  return isLowSurrogate ? most - 1 : most;
}
