/** Of a text that is read at one go: a millisecond or two, whatever is in it, and one window of the model. */
export const PIECE_CHARACTERS = 1_000;
/** How far back from there a place between two words is looked for. */
const LOOK_BACK = 100;

export interface Piece {
  text: string;
  isFirst: boolean;
  isLast: boolean;
}

/** A text in pieces, cut between words if there are any. */
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
