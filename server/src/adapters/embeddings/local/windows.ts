import type { TokenizedText } from './tokenizer.ts';

/** A part of a text that the model reads at once, as a range of tokens. */
export interface Window {
  from: number;
  to: number;
  /** The tokens whose vectors come from this window: the window with more context around them. */
  keepFrom: number;
  keepTo: number;
}

/** The model was trained on 256 tokens, including [CLS] and [SEP]. */
export const MAX_WINDOW_TOKENS = 254;
/** So that every sentence is read with some context. */
const OVERLAP_TOKENS = 32;
/** 10,000 characters of English are about 2,500 tokens. Only scripts the model can't read have more. */
export const MAX_TEXT_TOKENS = 4_096;
/** Two windows: 2,000 characters of English are about 450 tokens. */
export const MAX_QUERY_TEXT_TOKENS = 2 * MAX_WINDOW_TOKENS - OVERLAP_TOKENS;

/** One window for an ordinary text. A longer one is cut between words into overlapping windows. */
export function splitIntoWindows({ ids, wordOf }: TokenizedText): Window[] {
  const end = Math.min(ids.length, MAX_TEXT_TOKENS);
  const windows: Window[] = [];
  for (let from = 0; ;) {
    const to = from + MAX_WINDOW_TOKENS >= end ? end : wordStart(from + MAX_WINDOW_TOKENS, wordOf);
    const last = windows.at(-1);
    if (last) last.keepTo = Math.ceil((from + last.to) / 2);
    windows.push({ from, to, keepFrom: last?.keepTo ?? 0, keepTo: to });
    if (to === end) return windows;
    from = wordStart(to - OVERLAP_TOKENS, wordOf);
  }
}

/** The first token of the word at `token`. A word has at most 100 tokens, so windows always advance. */
function wordStart(token: number, wordOf: number[]): number {
  let start = token;
  while (start > 0 && wordOf[start - 1] === wordOf[token]) start--;
  return start;
}
