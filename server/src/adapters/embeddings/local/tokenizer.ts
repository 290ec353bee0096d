import { toStreamSafe } from '../../../text/stream-safe.ts';

/** A text as the model reads it, without [CLS] and [SEP]. */
export interface TokenizedText {
  /** Lower case, accents stripped; each punctuation mark and each Chinese character is one. */
  words: string[];
  ids: number[];
  /** For each id, the index of its word. */
  wordOf: number[];
}

/** Reads whole words, up to `most` tokens. */
export type Tokenizer = (text: string, most?: number) => TokenizedText;

export const CLS = 101;
export const SEP = 102;
export const UNKNOWN = 100;
const MAX_WORD_LENGTH = 100;
/** Words repeat: the cache saves nine of ten lookups in ordinary prose. */
const MAX_CACHED_WORDS = 50_000;

/**
 * BERT's uncased WordPiece, for the vocabulary of tokenizer.json. Unlike in Hugging Face's tokenizer,
 * "[SEP]" in a text is five characters, not the special token.
 */
export function createTokenizer(vocabulary: Record<string, number>): Tokenizer {
  const idOf = new Map(Object.entries(vocabulary));
  const cache = new Map<string, number[]>();
  const longest = [...idOf.keys()].reduce((most, piece) => Math.max(most, piece.length), 0);

  function piecesOf(word: string): number[] {
    const known = cache.get(word);
    if (known) return known;
    const pieces = splitWord(word, idOf, longest);
    if (cache.size >= MAX_CACHED_WORDS) cache.clear();
    cache.set(word, pieces);
    return pieces;
  }

  return (text, most = Infinity) => {
    const words: string[] = [];
    const ids: number[] = [];
    const wordOf: number[] = [];
    for (const [word] of normalise(text).matchAll(WORD)) {
      const pieces = piecesOf(word);
      if (ids.length + pieces.length > most) break;
      for (const id of pieces) {
        ids.push(id);
        wordOf.push(words.length);
      }
      words.push(word);
    }
    return { words, ids, wordOf };
  };
}

export function isPunctuation(word: string): boolean {
  return PUNCTUATION.test(word);
}

/** BERT's punctuation: Unicode's, and all ASCII symbols. */
const MARK = String.raw`\p{P}\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e`;
const WORD = new RegExp(`[^\\s${MARK}]+|[${MARK}]`, 'gu');
const PUNCTUATION = new RegExp(`^[${MARK}]$`, 'u');
const INVISIBLE = /[\ufffd\p{Cf}\p{Co}\p{Cs}]|[^\P{Cc}\t\n\r]/gu;
const CHINESE =
  /[\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{f900}-\u{faff}\u{20000}-\u{2a6df}\u{2a700}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

function normalise(text: string): string {
  return toStreamSafe(text.replace(INVISIBLE, '').replace(CHINESE, ' $& '))
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** Takes the longest known piece each time. If one is missing, the whole word is unknown. */
function splitWord(word: string, idOf: Map<string, number>, longest: number): number[] {
  const characters = Array.from(word);
  if (characters.length > MAX_WORD_LENGTH) return [UNKNOWN];
  const pieces: number[] = [];
  for (let from = 0; from < characters.length;) {
    let to = Math.min(characters.length, from + longest);
    let id: number | undefined;
    for (; to > from; to--) {
      id = idOf.get((from > 0 ? '##' : '') + characters.slice(from, to).join(''));
      if (id !== undefined) break;
    }
    if (id === undefined) return [UNKNOWN];
    pieces.push(id);
    from = to;
  }
  return pieces;
}
